import { dollarDecimals, formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { VerificationContext } from './context.ts'
import { type Person, readPerson } from './personData.ts'
import { presentRequest } from './presentVerification.ts'
import { readAnyRequest } from './readVerification.ts'
import { listMedia } from './uploads/readMedia.ts'

/**
 * All that is stored about a request of any kind, for the person whose data it holds. @throws ApiError 404,
 * also for another business's
 */
export async function exportRequest(
  ctx: Pick<VerificationContext, 'db' | 'verifyKey'>,
  businessId: string,
  id: string,
) {
  return ctx.db.snapshot(async (tx) => {
    const row = await readAnyRequest(tx, businessId, id)
    const { kind, country, idType, answer, dataKey } = row
    const person: Person | null = dataKey && (await readPerson(tx, ctx.verifyKey, row.id, dataKey))
    const media = await listMedia(tx, row.id)
    return {
      exportedAt: new Date().toISOString(),
      kind,
      ...presentRequest(row),
      country,
      idType,
      answer,
      person,
      media,
      charges: await charges(tx, row.id),
    }
  })
}

/** What was held of the credit, and its end. */
async function charges(tx: Queryable, id: string) {
  const rows = await tx.query<{ kind: string; amount: string; at: Date }>(
    `select e.kind, abs(p.amount)::text as amount, e.created_at as at
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = $1 and e.cause_kind = 'verification' and a.name = 'credit_held' order by e.step`,
    [id],
  )
  return rows.map(({ kind, amount, at }) => ({
    kind: kind.replace('verification.', ''),
    amount: formatUnits(BigInt(amount), dollarDecimals),
    at: at.toISOString(),
  }))
}
