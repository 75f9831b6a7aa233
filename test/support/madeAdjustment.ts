import { newId } from '../../src/platform/ids.ts'
import { addPerson } from './dashboardSession.ts'
import type { Stack } from './stack.ts'

/** The adjustment of `makeAdjustment`, as a request. */
export const madeAdjustment = {
  debit: 'treasury:ethereum',
  credit: 'capital',
  asset: 'ethereum:USDC',
  amount: '1.5',
  reason: 'float',
}

/** An adjustment that another operator proposed. @returns its id */
export async function makeAdjustment({ db }: Pick<Stack, 'db'>): Promise<string> {
  const id = newId()
  const { debit, credit, asset, reason } = madeAdjustment
  await db.query(
    `insert into ledger_adjustments (id, debit, credit, asset, amount, reason, proposed_by, expires_at)
     values ($1, $2, $3, $4, 1500000, $5, $6, now() + interval '1 hour')`,
    [id, debit, credit, asset, reason, (await addPerson({ db }, { operator: true })).id],
  )
  return id
}
