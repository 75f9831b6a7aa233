import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'

/** A key of the business with limits of USDC on ethereum, which has requested these outflows. */
export async function limitKeyOf(
  db: ModelDb,
  businessId: string,
  limits: { perTransfer?: string; perDay?: string },
  ids: string[],
): Promise<void> {
  const permissions = ['payouts:create', 'refunds:create']
  const key = await storeKey(
    { db },
    { businessId, name: 'till', scope: 'write', permissions, key: generateApiKey('test') },
  )
  const usdc = {
    chain: 'ethereum',
    token: 'usdc',
    perTransfer: null,
    perDay: null,
    approvalAbove: null,
    ...limits,
  }
  await db.query(
    "insert into send_limits (subject, subject_id, business_id, amounts) values ('key', $1, $2, $3)",
    [key.rootId, businessId, JSON.stringify([usdc])],
  )
  await db.query('update outflows set asked_by_key = $1 where id = any($2::uuid[])', [key.id, ids])
}
