import type { TransferIntent } from '../chains/sending.ts'

/** What was prepared: the intent, and how it is shown. */
export interface PreparedIntent {
  intent: TransferIntent
  symbol: string
  decimals: number
}

/** JSON has no bigint: amounts are decimal strings in it. */
type Stored = Omit<TransferIntent, 'amount' | 'gasPrice' | 'gasLimit'> & {
  amount: string
  gasPrice: string | null
  gasLimit: string | null
  symbol: string
  decimals: number
}

export function writeIntent({ symbol, decimals }: { symbol: string; decimals: number }, intent: TransferIntent): string {
  const stored: Stored = {
    ...intent,
    amount: intent.amount.toString(),
    gasPrice: intent.gasPrice?.toString() ?? null,
    gasLimit: intent.gasLimit?.toString() ?? null,
    symbol,
    decimals,
  }
  return JSON.stringify(stored)
}

export function readIntent(stored: object): PreparedIntent {
  const { symbol, decimals, amount, gasPrice, gasLimit, ...rest } = stored as Stored
  const whole = (text: string | null) => (text === null ? null : BigInt(text))
  return { intent: { ...rest, amount: BigInt(amount), gasPrice: whole(gasPrice), gasLimit: whole(gasLimit) }, symbol, decimals }
}
