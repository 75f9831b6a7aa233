/** A transfer of value in the count. Shares no code with the readers that it checks. */
export interface CountedTransfer {
  /**
   * `internal`: native value sent by a contract, not by the transaction itself. `withdrawal`: a payment of
   * the block to a validator's address (EIP-4895).
   */
  kind: 'erc20' | 'native' | 'internal' | 'withdrawal'
  /** For a withdrawal, its block's hash. */
  txHash: string
  from: string
  to: string
  /** Null for the native coin. */
  contract: string | null
  amount: bigint
}

export const kinds = [
  'erc20',
  'native',
  'internal',
  'withdrawal',
] as const satisfies readonly CountedTransfer['kind'][]

/** A transfer as one line, to compare lists as multisets. */
export const lineOf = ({ kind, txHash, from, to, contract, amount }: CountedTransfer): string =>
  [kind, txHash, from, to, contract ?? 'native', amount].join(' ').toLowerCase()

export const linesOf = (transfers: readonly CountedTransfer[]): string[] => transfers.map(lineOf).sort()

export function countsOf(transfers: readonly CountedTransfer[]): Record<CountedTransfer['kind'], number> {
  const counts = { erc20: 0, native: 0, internal: 0, withdrawal: 0 }
  for (const { kind } of transfers) counts[kind]++
  return counts
}
