import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { SettleContext } from '../../src/sessions/settleSession.ts'
import { checkoutUrl } from './checkoutUrl.ts'
import { provers } from './intentKeys.ts'
import { outflowEventsFor } from './outflowEvents.ts'
import { appKey } from './template.ts'

const key = new Secret(appKey)

/** What a worker has to settle sessions, in addition to database and chains. */
export const settling: Omit<SettleContext, 'db' | 'chains'> = {
  log: createLog('test', 'silent'),
  appKey: key,
  outflowEvents: outflowEventsFor(key),
  checkoutUrl,
  maker: { madeBy: 'worker', prover: provers.worker },
  excessHoldDays: 30,
}
