import type { ConfiguredChain } from '../chains/registry.ts'
import type { PaymentPartner } from '../partnerPayments/partner.ts'
import type { Queryable } from '../platform/database/db.ts'
import { inTime } from '../platform/wait.ts'
import { backupHealth } from './backupHealth.ts'
import { chainHealth } from './chainHealth.ts'
import { databaseHealth } from './databaseHealth.ts'
import { partnerHealth } from './partnerHealth.ts'
import { type Parts, problemsOf } from './problems.ts'
import { queueHealth } from './queueHealth.ts'
import { version } from './version.ts'

export interface HealthContext {
  db: Queryable
  chains: readonly ConfiguredChain[]
  paymentPartner: Pick<PaymentPartner, 'name'> | null
}

/** No part of the page takes longer than this. */
const maxPartMs = 2000

/** Null where it fails, or does not end in time. */
const part = <T>(work: Promise<T>) => inTime(maxPartMs, work.catch(noPart), null)
const noPart = () => null

/** The state of the platform, from the database alone. A part that does not answer in time is null. */
export async function readHealth(ctx: HealthContext) {
  const [chains, queues, partners, backups, database] = await Promise.all([
    part(chainHealth(ctx)),
    part(queueHealth(ctx.db)),
    part(partnerHealth(ctx)),
    part(backupHealth(ctx.db)),
    part(databaseHealth(ctx.db)),
  ])
  const parts: Parts = { chains, queues, partners, backups, database }
  return {
    at: new Date().toISOString(),
    version,
    problems: problemsOf(parts),
    ...parts,
  }
}
