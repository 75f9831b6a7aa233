import type { ConfiguredChain } from '../chains/registry.ts'

/** What the process can pay out with. */
export interface ServingContext {
  chains: readonly ConfiguredChain[]
  /** Null without a payout partner. */
  paymentPartner: object | null
}

/** Why a destination cannot be paid in a token. */
export type AutopayoutProblem =
  | 'destination_archived'
  | 'chain_unavailable'
  | 'token_unavailable'
  | 'no_partner'
  | 'no_legal_profile'

export interface AutopayoutDestination {
  id: string
  kind: 'bank' | 'wallet'
  /** Of a wallet. */
  chain: string | null
  isArchived: boolean
}

/** @param token that is paid out; a wallet gets the same one, on its own chain */
export function problemOf(
  { chains, paymentPartner }: ServingContext,
  { kind, chain: name, isArchived }: AutopayoutDestination,
  token: string,
  hasProfile: boolean,
): AutopayoutProblem | null {
  if (isArchived) return 'destination_archived'
  if (kind === 'bank') {
    if (paymentPartner === null) return 'no_partner'
    return hasProfile ? null : 'no_legal_profile'
  }
  const chain = chains.find((each) => each.name === name)
  if (!chain) return 'chain_unavailable'
  return chain.tokens.some(({ symbol }) => symbol === token) ? null : 'token_unavailable'
}
