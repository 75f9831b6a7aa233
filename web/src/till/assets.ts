import { chainNames } from '../checkout/chainNames.ts'
import type { TillFacts } from './types.ts'

type Network = TillFacts['networks'][number]

/** A token on a network, which a customer can pay with. */
export interface Asset {
  /** As `ethereum/USDC`. */
  key: string
  chain: Network['chain']
  token: Network['tokens'][number]
  label: string
  isReady: boolean
  isDelayed: boolean
}

/** What customers can pay with. */
export const assetsOf = ({ networks }: Pick<TillFacts, 'networks'>): Asset[] =>
  networks.flatMap(({ chain, tokens, ready, delayedSince }) =>
    tokens.map((token) => ({
      key: `${chain}/${token}`,
      chain,
      token,
      label: `${token} on ${chainNames[chain]}`,
      isReady: ready,
      isDelayed: delayedSince !== null,
    })),
  )

/** The remembered one where it can still be taken, or else the first that can. */
export const firstAsset = (assets: readonly Asset[], remembered: string | null): Asset | undefined =>
  assets.find(({ key, isReady }) => isReady && key === remembered) ??
  assets.find(({ isReady }) => isReady) ??
  assets[0]
