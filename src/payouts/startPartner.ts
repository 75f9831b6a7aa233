import type { WorkerContext } from '../capability.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { compareWhenDue } from './compareOutflows.ts'
import type { OutflowsContext } from './context.ts'
import { createPartnerMetrics } from './partnerMetrics.ts'
import { topUpSettings } from './settings.ts'
import { type TopUpRule, topUpPartner } from './topUpPartner.ts'

const everyMs = 15_000

/** Reads the partner's balance until the worker stops, tops it up where that is configured, and compares the partner's list with ours once a day. */
export function startPartner(worker: WorkerContext, ctx: OutflowsContext): void {
  const { partner } = ctx
  if (!partner) return
  const { name } = partner.payments
  createPartnerMetrics(worker.metrics, worker.db, name)
  const rule = ruleOf(worker)
  const failed = (error: unknown): void => worker.log.warn({ partner: name, err: messageOf(error) }, 'the partner could not be asked; trying again')
  const watching = repeat(worker.stopping, { everyMs, failed }, async () => {
    const funds = await partner.funds()
    if (rule) await topUpPartner(ctx, name, rule, funds)
    await compareWhenDue({ ...ctx, partner, signal: worker.stopping })
  })
  worker.onStop(() => watching)
}

function ruleOf({ settings }: Pick<WorkerContext, 'settings'>): TopUpRule | null {
  const { YELLOWCARD_TOP_UP: place, YELLOWCARD_TOP_UP_BELOW: below, YELLOWCARD_TOP_UP_TO: to } = settings(topUpSettings)
  return place && below !== undefined && to !== undefined ? { place, below, to } : null
}
