import { parseDecimal } from '../../chains/amount.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'

/** `localAmount` is an integer of 32 bits. */
const max = 2n ** 31n - 1n

/** @throws PartnerError `refused` with `AmountOutOfRange`: nothing was sent */
export function requireLocalAmount(amount: bigint): void {
  if (amount < 1n || amount > max)
    throw new PartnerError('refused', `Yellow Card takes amounts from 1 to ${max} in whole units`, { code: 'AmountOutOfRange' })
}

/** True if an exact decimal is this whole amount: `50`, or `50.00`. */
export function isWholeAmount(text: string | null, amount: bigint): boolean {
  const decimal = text === null ? null : parseDecimal(text)
  return decimal !== null && decimal.value === amount * 10n ** BigInt(decimal.scale)
}
