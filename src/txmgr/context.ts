import type { ConfiguredChain } from '../chains/registry.ts'
import type { ActionBuilder, ActionSender } from '../chains/sending.ts'
import type { Prover } from '../custody/proof.ts'
import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { HoldContext } from './hold.ts'
import type { StopContext } from './intents.ts'

/** A chain with the ports that build and broadcast its transactions. */
export interface SendingChain {
  chain: ConfiguredChain
  builder: ActionBuilder
  sender: ActionSender
}

export interface TxManagerContext extends HoldContext, StopContext {
  db: Db
  log: Log
  /** @throws Error if the chain is not configured */
  sendingChain(name: string): Promise<SendingChain>
  /** Proves the requests of this process to the treasury. */
  prover: Prover
  /**
   * Between two reconciles of an intent, and until an attempt that is in no block gets a higher fee; null: by
   * the chain's pace.
   */
  reconcileMs: number | null
  bumpAfterMs: number | null
  /**
   * How long nodes must report without interruption that an intent is unminable before it counts: longer than
   * one node behind a provider's URL lags behind another.
   */
  unminableMs: number
  /** How long an intent of which no node has a transaction waits for a lower fee, until it fails. */
  feeWaitMs: number
  observe(step: TxManagerStep, chain: string): void
}

/** Counted as `cowry_txmgr_steps_total`. */
export const txManagerSteps = [
  'sent',
  'refused',
  'unknown',
  'bumped',
  'unaffordable',
  'fee_wait',
  'resigned',
  'confirmed',
  'failed',
  'expired',
  'reorganised',
  'gap',
  'filled',
] as const
export type TxManagerStep = (typeof txManagerSteps)[number]

/** After this time a worker takes over from the request. */
export const graceMs = 15_000

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** Nothing changes within a block. */
export const reconcileEvery = (
  ctx: Pick<TxManagerContext, 'reconcileMs'>,
  chain: Pick<ConfiguredChain, 'blockMs'>,
): number => ctx.reconcileMs ?? clamp(chain.blockMs, 1000, 12_000)

/** A fair fee gets a transaction into one of the next few blocks; after ten it was too low. */
export const bumpAfter = (
  ctx: Pick<TxManagerContext, 'bumpAfterMs'>,
  chain: Pick<ConfiguredChain, 'blockMs'>,
): number => ctx.bumpAfterMs ?? clamp(10 * chain.blockMs, 30_000, 180_000)
