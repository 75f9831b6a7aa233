import type { Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import type { Account } from './account.ts'
import type { Cause, Entry } from './entry.ts'

/**
 * The entry that takes another one back, for `post`. The database refuses the second reversal of an entry.
 * What a business no longer has becomes
 * `receivable`. Money of a payout that comes back goes to `available`: a reservation does not start again.
 * @param step the next one of the entry's cause
 * @throws ApiError 404; Error for a reservation or its release
 */
export async function reverseEntry(
  tx: Tx,
  of: { id: string; businessId: string | null; kind: string; step: number },
): Promise<Entry> {
  const rows = await tx.query<{
    kind: string
    causeKind: Cause['kind']
    reference: string
    name: string
    businessId: string | null
    asset: string
    amount: string
  }>(
    `select e.kind, e.cause_kind as "causeKind", e.reference, a.business_id as "businessId", a.asset, sum(-p.amount)::text as amount,
       case when a.name in ('receivable', 'payouts_held') then 'available' else a.name end as name
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.id = $1 and e.business_id is not distinct from $2
     group by e.id, 4, 5, 7 order by 4, 5, 7`,
    [of.id, of.businessId],
  )
  const [first] = rows
  if (!first) throw notFound('Entry')
  if (/\.(reserved|released)$/.test(first.kind))
    throw new Error(`entry ${of.id} is ${first.kind}: a reservation ends by being posted or released, once`)
  return {
    kind: of.kind,
    businessId: of.businessId,
    cause: { kind: first.causeKind, id: first.reference },
    step: of.step,
    mayOwe: true,
    reverses: of.id,
    postings: rows
      .map(({ name, businessId, asset, amount }) => ({
        account: { name, businessId, asset } as Account,
        amount: BigInt(amount),
      }))
      .filter(({ amount }) => amount !== 0n),
  }
}
