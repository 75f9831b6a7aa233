import type { ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import type { SweepActions, SweepReader } from '../chains/sweeping.ts'
import type { Prover } from '../custody/proof.ts'
import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { SendingChain } from '../txmgr/context.ts'
import type { PurposesContext } from '../txmgr/intents.ts'
import type { CostRules } from './isWorthwhile.ts'

/** A chain whose deposit addresses are swept. */
export interface SweepingChain extends SendingChain {
  chain: ConfiguredChain
  actions: SweepActions
  reader: SweepReader
  balances: BalanceReader
}

export interface SweepsContext extends PurposesContext {
  db: Db
  log: Log
  /** Proves the intents of this process to the treasury. */
  prover: Prover
  /** Null where deposits need no sweep, or the chain is not configured. */
  sweeping(chain: string): Promise<SweepingChain | null>
  costs: CostRules
  /** Between two steps of a sweep that waits for something; null: by the chain's pace. */
  pollMs: number | null
  observe(step: SweepStep, chain: string): void
}

/** Counted as `cowry_sweep_steps_total`. */
export const sweepSteps = [
  'planned',
  'waiting',
  'funded',
  'sent',
  'swept',
  'taken_back',
  'failed',
  'missing',
  'gas_low',
] as const
export type SweepStep = (typeof sweepSteps)[number]

/** A change of an intent takes its sweeps further at once, so a rare poll is enough. */
export const pollEvery = (
  { pollMs }: Pick<SweepsContext, 'pollMs'>,
  { blockMs }: Pick<ConfiguredChain, 'blockMs'>,
): number => pollMs ?? Math.min(Math.max(blockMs, 250), 6000)
