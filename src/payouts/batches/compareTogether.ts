import { balanceOf } from '../../ledger/balance.ts'
import { tokenAsset } from '../../ledger/entry.ts'
import { formatUnits } from '../../money/amount.ts'
import { compareWithLimitsOfKey } from '../../outflows/keyLimits.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { refusalCode } from '../../platform/errors.ts'
import { compareManyWithLimits, type LimitsContext } from '../../spendingLimits/requireWithinPayoutLimits.ts'
import { fieldsOfLimits, type PayoutCaller } from '../createPayout.ts'
import type { Mistake } from './mistakes.ts'
import type { PlannedPayout } from './readBatch.ts'

/**
 * Compares the entries of a batch with each other and with what the business has: references, the limits of
 * the business and of the key, and the balance, each of which sees the total once. Where its result must
 * stay true, the caller has locked the limits.
 * @returns the mistakes, and whether a second owner must approve the batch
 */
export async function compareTogether(
  ctx: LimitsContext,
  db: Queryable,
  { businessId, keyRootId }: Pick<PayoutCaller, 'businessId' | 'keyRootId'>,
  planned: readonly PlannedPayout[],
): Promise<{ found: Mistake[]; approval: boolean }> {
  const taken = planned.map(({ source: { chain, token, amount } }) => ({
    chain: chain.name,
    token: token.symbol,
    amount,
  }))
  const ofBusiness = await compareManyWithLimits(ctx, db, businessId, taken)
  const ofKey = await compareWithLimitsOfKey(
    db,
    keyRootId,
    planned.map(({ source: { chain, token, amount }, priced: { wallet } }) => ({
      chain,
      token: token.symbol,
      amount,
      to: wallet,
      fields: fieldsOfLimits,
    })),
  )
  const code = refusalCode('limit_exceeded')
  const found: Mistake[] = [
    ...(await repeatedReferences(db, businessId, planned)),
    ...ofBusiness.exceeded.map(({ at, limit: { message } }) => ({
      at: at === null ? null : (planned[at]?.at ?? null),
      field: at === null ? 'payouts' : 'amount',
      message,
      code,
    })),
    ...ofKey.exceeded.map(({ at, field, message }) => ({
      at: planned[at]?.at ?? null,
      field,
      message,
      code,
    })),
    ...(await missingFunds(db, businessId, planned)),
  ]
  return { found, approval: ofBusiness.approval || ofKey.approval }
}

/** A reference of an earlier entry, or of an earlier payout that has not failed or was marked as paid elsewhere. */
async function repeatedReferences(
  db: Queryable,
  businessId: string,
  planned: readonly PlannedPayout[],
): Promise<Mistake[]> {
  const named = planned.flatMap(({ at, request: { reference } }) =>
    reference === undefined ? [] : [{ at, reference }],
  )
  if (named.length === 0) return []
  const rows = await db.query<{ reference: string; id: string }>(
    `select reference, id from outflows where business_id = $1 and kind = 'payout' and reference = any($2::text[])
       and (status not in ('failed', 'cancelled', 'returned') or paid_elsewhere is not null)`,
    [businessId, named.map(({ reference }) => reference)],
  )
  const earlier = new Map(rows.map(({ reference, id }) => [reference, `the payout ${id} has it already`]))
  const found: Mistake[] = []
  for (const { at, reference } of named) {
    const message = earlier.get(reference)
    if (message !== undefined) found.push({ at, field: 'reference', message, code: 'duplicate' })
    earlier.set(reference, message ?? `payouts.${at} has it already`)
  }
  return found
}

/** Assets of which the batch takes more than there is. */
async function missingFunds(
  db: Queryable,
  businessId: string,
  planned: readonly PlannedPayout[],
): Promise<Mistake[]> {
  const totals = new Map<string, { source: PlannedPayout['source']; total: bigint }>()
  for (const { source } of planned) {
    const asset = tokenAsset(source.chain.name, source.token.symbol)
    totals.set(asset, { source, total: (totals.get(asset)?.total ?? 0n) + source.amount })
  }
  const found: Mistake[] = []
  for (const [asset, { source, total }] of totals) {
    const { chain, token } = source
    const available = await balanceOf(db, { name: 'available', businessId, asset })
    if (available >= total) continue
    const [wanted, had] = [total, available].map((units) => formatUnits(units, token.decimals))
    const message = `take ${wanted} ${token.symbol} on ${chain.name} together, and ${had} are available: take entries out, or wait for more`
    found.push({ at: null, field: 'payouts', message, code: refusalCode('insufficient_funds') })
  }
  return found
}
