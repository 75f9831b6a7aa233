import type { CallsSpec, Token } from '../chains/action.ts'
import type { BridgeActions, Burn } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import { type Chain, tokenOf } from '../chains/registry.ts'
import type { BridgeRequest } from './bridgeRow.ts'

/** USDC of a chain; null on a chain without it. */
export function usdcOf(chain: Pick<Chain, 'tokens'>): Token | null {
  const token = tokenOf(chain, 'USDC')
  return token ? { contract: token.contract, symbol: token.symbol, decimals: token.decimals } : null
}

/** What a burn mints to: the address of the owner, or its token account. */
export const mintRecipientOf = (
  { actions, token }: { actions: BridgeActions; token: Token },
  owner: string,
): MessageHex => actions.recipientOf?.(owner, token) ?? actions.wordOf(owner)

/** What a transfer burns. */
export const burnOf = (request: BridgeRequest, token: Token): Burn => ({
  from: request.sourceAddress,
  token,
  amount: request.amount,
  destinationDomain: request.destinationDomain,
  mintRecipient: request.mintRecipient,
  maxFee: request.maxFee,
  speed: request.speed,
  hook: request.hook,
  ...(request.eventAccount !== null && { eventAccount: request.eventAccount }),
})

/** Its calls: the allowance, where the chain needs one, and the burn. */
export function callsOf(
  actions: BridgeActions,
  request: BridgeRequest,
  token: Token,
): { approval: CallsSpec | null; burn: CallsSpec } {
  const burn = burnOf(request, token)
  return { approval: actions.approval(burn), burn: actions.burn(burn) }
}
