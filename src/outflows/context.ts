import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import type { HoldContext } from '../txmgr/hold.ts'
import type { PurposesContext } from '../txmgr/intents.ts'
import type { OutflowPartner } from './bank/outflowPartner.ts'
import type { OutflowEventContext } from './outflowEvents.ts'
import type { Screening } from './screening/requestScreening.ts'
import type { OutflowMaker } from './storeOutflow.ts'

/** What the worker has for outflows. */
export interface OutflowsContext extends OutflowEventContext, PurposesContext, HoldContext, LimitsContext {
  db: Db
  log: Log
  /** Opens accounts at banks, and legal profiles. */
  appKey: Secret
  chains: readonly ConfiguredChain[]
  /** Reads balances on a configured chain. */
  accountsOf(chain: string): Promise<ChainAccounts>
  maker: OutflowMaker
  /** Null without a payout partner. */
  partner: OutflowPartner | null
  /** Null: the operator screens nothing. */
  screening: Screening | null
  /** Between two steps of an outflow that waits for something; null: by what it waits for. */
  pollMs: number | null
  observe(step: OutflowStep, kind: string): void
}

/** The same with a payout partner. */
export type BankContext = OutflowsContext & { partner: OutflowPartner }

/** Counted as `cowry_payout_steps_total`. */
export const outflowSteps = [
  'waiting',
  'sent',
  'completed',
  'returned',
  'failed',
  'unknown',
  'retried',
  'taken_back',
  'contradicted',
  'refused',
] as const
export type OutflowStep = (typeof outflowSteps)[number]
