import { PartnerError } from '../../partnerPayments/partnerError.ts'

/** `localAmount` is an integer of 32 bits. */
const max = 2n ** 31n - 1n

/** @throws PartnerError `refused` with `AmountOutOfRange`: nothing was sent */
export function requireLocalAmount(amount: bigint): void {
  if (amount < 1n || amount > max)
    throw new PartnerError('refused', `Yellow Card takes amounts from 1 to ${max} in whole units`, {
      partnerCode: 'AmountOutOfRange',
    })
}
