import type { Tx } from '../platform/database/db.ts'
import type { Cause } from '../platform/telemetry/scope.ts'

/** Why addresses are watched. Each capability adds its own (docs/architecture.md, "Capabilities"). */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface WatchPurposes {}
export type WatchPurpose = keyof WatchPurposes

/** The change of a detection that a job is about. */
export type DetectionChange = 'seen' | 'confirmed' | 'reverted'

/** A detection, with the fields that decide which job it goes to, and what its watch is for. */
export interface DetectionRow extends Cause {
  id: string
  /** Of the watch: for a session its id, otherwise the watch. */
  subjectId: string
  /** Null: the platform's own. */
  businessId: string | null
  purpose: WatchPurpose
  /** Cowry did not know the transfer's token when it was found. */
  isUnknownToken: boolean
}

/** What the indexers need to know of a purpose. */
export interface WatchHandling {
  /**
   * `payments`: registered tokens and the native coin that come in. `transfers`: what comes in or goes out,
   * of every token if the watch has that set.
   */
  sees: 'payments' | 'transfers'
  /**
   * The finality of a payment follows from the sum of all payments to its watch, so that splitting an amount
   * does not confirm it earlier.
   */
  addsUp?: boolean
  /** Its watches stay for months: what they see is no part of the trace in which they were made. */
  lasts?: boolean
  /** Enqueues the jobs of changed detections, in the transaction of the change. */
  publish(tx: Tx, detections: readonly DetectionRow[], reason: DetectionChange): Promise<void>
}

export type WatchHandlings = { readonly [Purpose in WatchPurpose]: WatchHandling }
