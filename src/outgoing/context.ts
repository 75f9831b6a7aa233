import type { ConfiguredChain } from '../chains/registry.ts'
import type { TransferBuilder, TransferSender } from '../chains/sending.ts'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { HoldContext } from './hold.ts'
import type { OnChange, Purpose } from './outgoing.ts'
import type { Prover } from './proof.ts'

/** A chain, and what builds its transactions and tells it of them. */
export interface SendingChain {
  chain: ConfiguredChain
  builder: TransferBuilder
  sender: TransferSender
}

export interface OutgoingContext extends HoldContext {
  db: Db
  log: Log
  /** @throws Error where the deployment does not have the chain */
  sendingChain(name: string): Promise<SendingChain>
  onChange: Record<Purpose, OnChange>
  /** Signs what this process asks of the treasury. */
  prover: Prover
  /** How long to wait between two looks at a row, and until a transaction that is in no block is replaced; null: by the chain's pace. */
  lookMs: number | null
  stuckMs: number | null
  /**
   * How long the chain must say, without another word, that nothing of a row can come any more until that is believed: longer than a node
   * is behind another one that answers by the same name.
   */
  goneMs: number
  observe(step: OutgoingStep, chain: string): void
}

/** What is counted. */
export const outgoingSteps = ['sent', 'refused', 'unknown', 'raised', 'renewed', 'confirmed', 'failed', 'expired', 'reorganised', 'gap'] as const
export type OutgoingStep = (typeof outgoingSteps)[number]

/** A worker takes over what its request did not finish by then. */
export const graceMs = 15_000

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** A block is as soon as anything can have changed. */
export const lookEvery = (ctx: Pick<OutgoingContext, 'lookMs'>, chain: Pick<ConfiguredChain, 'blockMs'>): number =>
  ctx.lookMs ?? clamp(chain.blockMs, 1000, 12_000)

/** A transaction with the fee of its time is in a block after a few; one that is not after ten was outbid. */
export const stuckAfter = (ctx: Pick<OutgoingContext, 'stuckMs'>, chain: Pick<ConfiguredChain, 'blockMs'>): number =>
  ctx.stuckMs ?? clamp(10 * chain.blockMs, 30_000, 180_000)
