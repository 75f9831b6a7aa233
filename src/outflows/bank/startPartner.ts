import type { WorkerContext } from '../../capability.ts'
import { recipientProblem } from '../../chains/recipientAddress.ts'
import { registeredChain } from '../../chains/registry.ts'
import { createTurns } from '../../partnerPayments/partnerTurns.ts'
import { createRoundAge } from '../../partnerPayments/roundAge.ts'
import { messageOf } from '../../platform/errors.ts'
import { repeat } from '../../platform/repeat.ts'
import type { OutflowsContext } from '../context.ts'
import { topUpSettings } from '../settings.ts'
import { returnSettings } from '../workerSettings.ts'
import { compareWhenDue } from './compareOutflows.ts'
import { findReturns } from './findReturns.ts'
import { createPartnerMetrics } from './partnerMetrics.ts'
import { syncPaymentsWhenDue } from './syncPayments.ts'
import { type TopUpRule, topUpPartner } from './topUpPartner.ts'

const everyMs = 15_000
/** Between two checks for a due round of the partner's list. */
const syncLookMs = 10_000

/**
 * Reads the partner's balance until the worker stops, tops it up where that is configured, follows payouts by
 * the partner's list, and compares it with our rows once a day.
 */
export function startPartner(worker: WorkerContext, ctx: OutflowsContext): void {
  const { partner } = ctx
  if (!partner) return
  const { name } = partner.payments
  createPartnerMetrics(worker.metrics, worker.db, name)
  createRoundAge(worker.metrics, worker.db, 'payout_syncs', name)
  const rule = ruleOf(worker)
  const { PAYOUT_RETURN_DAYS: returnDays } = worker.settings(returnSettings)
  const syncContext = { ...ctx, partner, returnDays, turn: createTurns(worker.db, name, worker.stopping) }
  const failed = (error: unknown): void =>
    worker.log.warn(
      { partner: name, err: messageOf(error) },
      'the partner could not be queried; trying again',
    )
  const watching = repeat(worker.stopping, { everyMs, failed }, async () => {
    const funds = await partner.funds()
    if (rule) await topUpPartner(ctx, name, rule, funds)
    await compareWhenDue({ ...ctx, partner, signal: worker.stopping }, () =>
      findReturns({ ...syncContext, signal: worker.stopping }),
    )
  })
  worker.onStop(() => watching)
  const syncing = repeat(worker.stopping, { everyMs: syncLookMs, failed }, async () => {
    const round = await syncPaymentsWhenDue(syncContext)
    if (round) worker.log.info(round, 'payouts were synced with the partner')
  })
  worker.onStop(() => syncing)
}

/** @throws where the address cannot receive: the worker does not start */
export function ruleOf({ settings }: Pick<WorkerContext, 'settings'>): TopUpRule | null {
  const {
    YELLOWCARD_TOP_UP: place,
    YELLOWCARD_TOP_UP_BELOW: below,
    YELLOWCARD_TOP_UP_TO: to,
  } = settings(topUpSettings)
  if (!place || below === undefined || to === undefined) return null
  const problem = recipientProblem(registeredChain(place.chain), place.address)
  if (problem !== null) throw new Error(`YELLOWCARD_TOP_UP: the address ${problem.message}`)
  return { place, below, to }
}
