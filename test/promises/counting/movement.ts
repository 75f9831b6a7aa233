/** What the count calls a movement of value. Nothing here is shared with the reader that is counted after. */
export interface Movement {
  /**
   * `internal`: native value that a contract sent, as opposed to what the transaction itself carries. `withdrawal`: what a block itself pays to
   * a validator's address (EIP-4895).
   */
  kind: 'erc20' | 'native' | 'internal' | 'withdrawal'
  /** Of a withdrawal, its block's. */
  txHash: string
  from: string
  to: string
  /** Null for the native coin. */
  contract: string | null
  amount: bigint
}

export const kinds = ['erc20', 'native', 'internal', 'withdrawal'] as const satisfies readonly Movement['kind'][]

/** All that a movement says, in one line, so that lists can be compared as multisets. */
export const lineOf = ({ kind, txHash, from, to, contract, amount }: Movement): string =>
  [kind, txHash, from, to, contract ?? 'native', amount].join(' ').toLowerCase()

export const linesOf = (movements: readonly Movement[]): string[] => movements.map(lineOf).sort()

export function countsOf(movements: readonly Movement[]): Record<Movement['kind'], number> {
  const counts = { erc20: 0, native: 0, internal: 0, withdrawal: 0 }
  for (const { kind } of movements) counts[kind]++
  return counts
}
