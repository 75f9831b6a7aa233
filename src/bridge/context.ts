import type { BridgeActions, BridgeReader } from '../chains/bridging.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Prover } from '../custody/proof.ts'
import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { PurposesContext } from '../txmgr/intents.ts'
import type { Attestations } from './attestations.ts'

/** A chain with the ports of its bridge. */
export interface BridgingChain {
  chain: ConfiguredChain
  actions: BridgeActions
  reader: BridgeReader
}

/** Counted as `cowry_bridge_steps_total`. */
export const bridgeSteps = [
  'burnt',
  'attested',
  'reattested',
  'minting',
  'completed',
  'failed',
  'taken_back',
  'refused_answer',
  'mint_refused',
  'mint_waits',
  'mint_not_found',
  'burn_unknown',
  'burn_lost',
  'reclaiming',
  'reclaimed',
  'reclaim_refused',
] as const
export type BridgeStep = (typeof bridgeSteps)[number]

/** What following transfers needs. */
export interface BridgeContext extends PurposesContext {
  db: Db
  log: Log
  prover: Prover
  attestations: Attestations
  /** Null where the chain is not configured. */
  bridging(chain: string): Promise<BridgingChain | null>
  /** Until Circle is first queried for a burn; null: the usual time of the route. */
  firstQuestionMs: number | null
  pollMs: number
  /** How long Circle may take to mint by itself. */
  forwardMs: number
  observe(step: BridgeStep, transfer: { sourceChain: string; destinationChain: string }): void
}
