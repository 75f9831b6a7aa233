import type { Action, Call, CallAccount, CallsSpec, Flow, IfNoTrustline, Token } from '../chains/action.ts'

/** Actions as JSON, for rows and proofs: keys in a fixed order, amounts as decimal strings. */

export interface StoredCall {
  to: string
  data: string
  value: string
  accounts: CallAccount[]
}

export interface StoredFlow {
  address: string
  token: Token | null
  amount: string
}

const tokenJson = (token: Token | null): Token | null =>
  token && { contract: token.contract, symbol: token.symbol, decimals: token.decimals }

export const writeCalls = (calls: readonly Call[]): StoredCall[] =>
  calls.map(({ to, data, value, accounts }) => ({
    to,
    data,
    value: String(value),
    accounts: accounts.map(({ address, signer, writable }) => ({ address, signer, writable })),
  }))

export const writeFlows = (flows: readonly Flow[]): StoredFlow[] =>
  flows.map(({ address, token, amount }) => ({ address, token: tokenJson(token), amount: String(amount) }))

export const readCalls = (stored: readonly StoredCall[]): Call[] =>
  stored.map((each) => ({ ...each, value: BigInt(each.value) }))
export const readFlows = (stored: readonly StoredFlow[]): Flow[] =>
  stored.map((each) => ({ ...each, amount: BigInt(each.amount) }))

/** The same text for the same action, and for no other one. */
export function actionText(action: Action): string {
  const gas = [action.gasPrice, action.gasLimit].map((each) => (each === null ? null : String(each)))
  if (action.kind === 'calls') {
    const { kind, from, calls, cosigners, spends, receives } = action
    return JSON.stringify([
      kind,
      from,
      writeCalls(calls),
      cosigners,
      writeFlows(spends),
      writeFlows(receives),
      gas,
    ])
  }
  const { kind, from, to, token, amount, memo, ifNoTrustline } = action
  const parts = [kind, from, to, tokenJson(token), String(amount), memo && [memo.type, memo.value], gas]
  return JSON.stringify(ifNoTrustline ? [...parts, ifNoTrustlineParts(ifNoTrustline)] : parts)
}

/** With its name: proofs of transfers without it stay as they were. */
export const ifNoTrustlineParts = (given: IfNoTrustline): string[] => [
  'ifNoTrustline',
  given.kind,
  given.kind === 'wait' ? given.until.toISOString() : '',
]

/**
 * Checks calls before they are stored.
 * @throws Error for no calls, an amount that is not above zero, or an address that signs twice
 */
export function requireSoundCalls({ from, calls, cosigners, spends, receives }: CallsSpec): void {
  if (calls.length === 0) throw new Error('an intent needs a call')
  if (calls.some(({ value }) => value < 0n) || [...spends, ...receives].some(({ amount }) => amount <= 0n))
    throw new Error('the amounts of an intent must be above zero')
  if (new Set([from, ...cosigners]).size !== cosigners.length + 1) throw new Error('each address signs once')
}
