import type { ConfiguredChain } from '../chains/registry.ts'
import type { PaymentPartner } from '../partnerPayments/partner.ts'
import type { Queryable } from '../platform/database/db.ts'
import { backupHealth } from './backupHealth.ts'
import { chainHealth } from './chainHealth.ts'
import { databaseHealth } from './databaseHealth.ts'
import { partnerHealth } from './partnerHealth.ts'
import { type Parts, problemsOf } from './problems.ts'
import { queueHealth } from './queueHealth.ts'
import { version } from './version.ts'
import { within } from './within.ts'

export interface HealthContext {
  db: Queryable
  chains: readonly ConfiguredChain[]
  paymentPartner: Pick<PaymentPartner, 'name'> | null
}

/** The state of the platform, from the database alone. A part that does not answer in time is null. */
export async function readHealth(ctx: HealthContext) {
  const [chains, queues, partners, backups, database] = await Promise.all([
    within(chainHealth(ctx)),
    within(queueHealth(ctx.db)),
    within(partnerHealth(ctx)),
    within(backupHealth(ctx.db)),
    within(databaseHealth(ctx.db)),
  ])
  const parts: Parts = { chains, queues, partners, backups, database }
  return {
    at: new Date().toISOString(),
    version,
    problems: problemsOf(parts),
    ...parts,
  }
}
