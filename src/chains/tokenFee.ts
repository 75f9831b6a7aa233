import { formatUnits } from '../money/amount.ts'
import { ActionRefusedError } from './sending.ts'

/** Settings of a token that can keep a part of each transfer. */
export interface TokenFeeSettings {
  /** Hundredths of a per cent. */
  rate: bigint
  /** Base units. */
  max: bigint
}

/** As TetherToken counts it (`transfer` of the verified contract, Ethereum 0xdac1…1ec7). */
export function tokenFeeOf(amount: bigint, { rate, max }: TokenFeeSettings): bigint {
  const fee = (amount * rate) / 10_000n
  return fee > max ? max : fee
}

/**
 * Refuses a transfer of which the recipient would get less than was requested.
 * @param settings null: the token has no fee
 * @throws ActionRefusedError `token_takes_fee`
 */
export function refuseTokenFee(
  token: { symbol: string; decimals: number },
  amount: bigint,
  settings: TokenFeeSettings | null,
): void {
  const fee = settings === null ? 0n : tokenFeeOf(amount, settings)
  if (fee === 0n) return
  const kept = `${formatUnits(fee, token.decimals)} of ${formatUnits(amount, token.decimals)} ${token.symbol}`
  throw new ActionRefusedError(
    'token_takes_fee',
    `The token would keep ${kept}: its fee for transfers is switched on`,
    'token',
  )
}
