import type { JobHandler, WorkerContext } from '../capability.ts'
import { createVerifier } from '../custody/proof.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { coinPriceSettings, coinPrices } from '../pricing/coinPrices.ts'
import { createPartnerFunds, type OutflowPartner } from './bank/outflowPartner.ts'
import { createPartnerAlarms } from './bank/partnerMetrics.ts'
import { priceRules, priceSettings } from './bank/priceSettings.ts'
import { proofSettings } from './bank/proofSettings.ts'
import { startPartner } from './bank/startPartner.ts'
import type { OutflowsContext } from './context.ts'
import { createOutflowCounter } from './outflowMetrics.ts'
import { startScreening } from './screening/startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'

/**
 * Takes outflows further, and looks after the partner's account: with one context, so that a worker reads the
 * account's balance once.
 */
export function outflowsWorker(worker: WorkerContext): JobHandler<JobPayloads['payouts']> {
  const ctx = outflowsContext(worker)
  startPartner(worker, ctx)
  return { tracesRows: true, process: ({ outflowId }) => stepOutflow(ctx, outflowId) }
}

function outflowsContext(worker: WorkerContext): OutflowsContext {
  const {
    db,
    log,
    metrics,
    chains,
    connectionOf,
    purposes,
    prover,
    appKey,
    outflowEvents,
    environment,
    settings,
    onStop,
  } = worker
  return {
    db,
    log,
    chains,
    accountsOf: async (chain) => (await connectionOf(chain)).accounts(),
    purposes,
    environment,
    appKey,
    outflowEvents,
    maker: { madeBy: 'worker', prover },
    partner: partnerOf(worker),
    screening: startScreening({ settings, onStop }),
    coinUsd: coinPrices(settings(coinPriceSettings).SWEEP_COIN_USD),
    pollMs: null,
    observe: createOutflowCounter(metrics),
  }
}

function partnerOf({
  db,
  partner,
  metrics,
  settings,
}: Pick<WorkerContext, 'db' | 'partner' | 'metrics' | 'settings'>): OutflowPartner | null {
  if (!partner) return null
  const { payments, rates } = partner
  const { API_INTENT_PUBLIC_KEYS: api = [], WORKER_INTENT_PUBLIC_KEYS: worker = [] } = settings(proofSettings)
  const proofs = { api: createVerifier(api), worker: createVerifier(worker) }
  const prices = priceRules(settings(priceSettings))
  return {
    payments,
    rates,
    prices,
    funds: createPartnerFunds(db, payments),
    alarm: createPartnerAlarms(metrics),
    proofs,
  }
}
