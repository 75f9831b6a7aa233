import type { Queryable } from '../platform/database/db.ts'
import { type Outflow, readOutflows } from './outflow.ts'

/** SQL: not over. After a restore each of them may have left. */
const openSql = "status not in ('completed', 'failed', 'cancelled', 'returned')"

export interface OpenOutflow {
  outflow: Outflow
  /** Of its intent, if it has one. */
  intentStatus: string | null
  txId: string | null
}

/** Outflows whose outcome this database does not know, oldest first. */
export async function openOutflows(db: Queryable): Promise<OpenOutflow[]> {
  const outflows = await readOutflows(db, `${openSql} order by created_at, id`, [])
  const intents = await db.query<{ id: string; status: string; txId: string | null }>(
    'select id, status, tx_id as "txId" from intents where id = any($1::uuid[])',
    [outflows.map(({ intentId }) => intentId)],
  )
  const byId = new Map(intents.map((intent) => [intent.id, intent]))
  return outflows.map((outflow) => {
    const intent = byId.get(outflow.intentId ?? '')
    return { outflow, intentStatus: intent?.status ?? null, txId: intent?.txId ?? null }
  })
}
