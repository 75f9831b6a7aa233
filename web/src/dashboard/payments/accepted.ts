import type { DashboardBodyOf } from '../../../../client/index.ts'
import type { PaymentSettings } from '../types.ts'

type Accepted = NonNullable<DashboardBodyOf<'setPaymentSettings'>['accepted']>
type Network = PaymentSettings['networks'][number]
export type Chain = Network['chain']
export type Token = Network['tokens'][number]['token']

export const chainNames: Record<Chain, string> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  base: 'Base',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  solana: 'Solana',
  tron: 'Tron',
  stellar: 'Stellar',
}

/** The id of a checkbox of the table. */
export const cellOf = (chain: Chain, token: Token): string => `${chain}/${token}`

export function acceptedCells(networks: Network[]): Set<string> {
  return new Set(
    networks.flatMap(({ chain, tokens }) =>
      tokens.filter((each) => each.accepted).map(({ token }) => cellOf(chain, token)),
    ),
  )
}

/**
 * The checked cells, in the order of the deployment's networks. A network without a token is not accepted.
 */
export function acceptedOf(networks: Network[], cells: ReadonlySet<string>): Accepted {
  return networks
    .map(({ chain, tokens }) => ({
      chain,
      tokens: tokens.map(({ token }) => token).filter((token) => cells.has(cellOf(chain, token))),
    }))
    .filter(({ tokens }) => tokens.length > 0)
}

export function offeredTokens(networks: Network[]): Token[] {
  return [...new Set(networks.flatMap(({ tokens }) => tokens.map(({ token }) => token)))].sort()
}
