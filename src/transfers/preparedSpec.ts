import type { TransferSpec } from '../chains/action.ts'

/** A prepared transfer. */
export interface PreparedSpec {
  transfer: TransferSpec
  symbol: string
  decimals: number
}

/** JSON has no bigint: amounts are decimal strings in it. */
type Stored = Omit<TransferSpec, 'amount' | 'gasPrice' | 'gasLimit'> & {
  amount: string
  gasPrice: string | null
  gasLimit: string | null
  symbol: string
  decimals: number
}

export function writePrepared(
  { symbol, decimals }: { symbol: string; decimals: number },
  transfer: TransferSpec,
): string {
  const stored: Stored = {
    ...transfer,
    amount: transfer.amount.toString(),
    gasPrice: transfer.gasPrice?.toString() ?? null,
    gasLimit: transfer.gasLimit?.toString() ?? null,
    symbol,
    decimals,
  }
  return JSON.stringify(stored)
}

export function readPrepared(stored: object): PreparedSpec {
  const { symbol, decimals, amount, gasPrice, gasLimit, ...rest } = stored as Stored
  const whole = (text: string | null) => (text === null ? null : BigInt(text))
  // Those of the version before have no kind.
  return {
    transfer: {
      ...rest,
      kind: 'transfer',
      amount: BigInt(amount),
      gasPrice: whole(gasPrice),
      gasLimit: whole(gasLimit),
    },
    symbol,
    decimals,
  }
}
