import { listPartners } from '../outflows/bank/listPartners.ts'
import type { PaymentPartner } from '../partnerPayments/partner.ts'
import type { Queryable } from '../platform/database/db.ts'

export interface PartnerHealth {
  name: string
  /** Payouts through it wait. */
  pause: { reason: string; by: string; since: string } | null
  /** Payouts that were submitted and whose outcome is not known. */
  unknown: number
  /** When a worker last read its balance. */
  readAt: string | null
  comparison: { at: string; unmatched: number } | null
}

interface Context {
  db: Queryable
  paymentPartner: Pick<PaymentPartner, 'name'> | null
}

export async function partnerHealth(ctx: Context): Promise<PartnerHealth[]> {
  return (await listPartners(ctx)).map(({ name, pause, underWay, balances, comparison }) => ({
    name,
    pause,
    unknown: underWay.unknown,
    readAt: balances.map(({ readAt }) => readAt).sort()[0] ?? null,
    comparison: comparison && { at: comparison.at, unmatched: comparison.unmatched },
  }))
}
