import { openAccount } from '../../destinations/sealedAccount.ts'
import type { PaymentRequest } from '../../partnerPayments/partner.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { Secret } from '../../platform/secrets.ts'
import type { BankTarget, Outflow } from '../outflow.ts'
import { readProfile } from './legalProfile.ts'

/** The partner has no better term for it. */
const reason = 'other'

/** A bank payout with all that it needs. */
export type BankOutflow = Outflow & { businessId: string; destinationId: string; bank: BankTarget }

/**
 * The request of a bank payout, except for its amount: our row's id as `sequenceId`, so that the partner
 * never makes two. It holds an account number: it goes to the partner only.
 * @returns null while the business has no legal profile, which the partner wants as the sender
 */
export async function bankRequest(
  ctx: { db: Queryable; appKey: Secret },
  { id, businessId, destinationId, bank }: BankOutflow,
): Promise<Omit<PaymentRequest, 'localAmount'> | null> {
  const profile = (await readProfile(ctx, ctx.db, businessId))?.profile
  if (!profile) return null
  const [destination] = await ctx.db.query<{ sealed: Buffer; bankName: string; country: string }>(
    `select sealed_account as sealed, bank_name as "bankName", country from payout_destinations
     where id = $1 and business_id = $2 and network_id = $3 and currency = $4 and sealed_account is not null`,
    [destinationId, businessId, bank.networkId, bank.currency],
  )
  if (!destination) throw new Error(`outflow ${id} goes to another bank than its destination`)
  const { number, holder } = openAccount(
    ctx.appKey,
    { id: destinationId, businessId, networkId: bank.networkId },
    destination.sealed,
  )
  const { businessName, registrationNumber, country, address, phone, email } = profile
  return {
    sequenceId: id,
    channel: { type: 'bank', country: destination.country, currency: bank.currency },
    destination: {
      accountNumber: number.reveal(),
      networkId: bank.networkId,
      accountType: 'bank',
      accountName: holder,
      accountBank: destination.bankName,
      country: destination.country,
    },
    sender: {
      kind: 'business',
      businessId: registrationNumber,
      businessName,
      country,
      address,
      phone,
      email,
    },
    customerId: businessId,
    reason,
    forceAccept: true,
  }
}
