import { InsufficientFundsError } from '../ledger/insufficientFunds.ts'
import { formatUnits } from '../money/amount.ts'
import { ApiError } from '../platform/errors.ts'

/**
 * The answer for an amount that `available` has not: 422 `insufficient_funds` naming `amount`; any other
 * error as it is.
 */
export function insufficientFunds(
  error: unknown,
  { symbol, decimals, amount }: { symbol: string; decimals: number; amount: bigint },
): unknown {
  if (!(error instanceof InsufficientFundsError)) return error
  const [missing, required, available] = [error.missing, amount, amount - error.missing].map((units) =>
    formatUnits(units, decimals),
  ) as [string, string, string]
  const message = `is more than the ${available} ${symbol} that are available`
  return new ApiError(422, 'insufficient_funds', `amount: ${message}`, {
    fields: [{ field: 'amount', message }],
    missing: { symbol, missing, required, available },
    cause: error,
  })
}
