import type { ApiStart } from '../capability.ts'
import { createProver } from '../custody/proof.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import type { BroughtContext } from '../routeContext.ts'
import { sendingChains } from './sendingChains.ts'
import { txmgrSettings } from './settings.ts'
import { createTxManagerMetrics } from './txManagerMetrics.ts'

/** The api's part of the transaction manager: it stores intents, and sends those with keys of requests. */
export function startSending(ctx: ApiStart): Pick<BroughtContext, 'txmgr'> {
  const { db, log, chains, purposes, settings, environment } = ctx
  const values = settings(txmgrSettings.api)
  return {
    txmgr: {
      db,
      log,
      sendingChain: sendingChains(chains, ctx.connectionOf),
      purposes,
      settings,
      prover: createProver(values.API_INTENT_KEY),
      reconcileMs: values.TXMGR_RECONCILE_MS ?? null,
      bumpAfterMs: null,
      unminableMs: values.TXMGR_UNMINABLE_MS,
      feeWaitMs: values.TXMGR_FEE_WAIT_MS,
      environment,
      observe: createTxManagerMetrics(ctx.metrics, chains),
      ofAddress: createOneByOne(),
    },
  }
}
