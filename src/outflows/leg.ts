import type { OutflowsContext } from './context.ts'
import type { Outflow } from './outflow.ts'

/** One of the two ways out: over a chain, or through a partner. */
export interface Leg {
  /** Sends a pending outflow: stores that it may leave before anything can. */
  send(ctx: OutflowsContext, outflow: Outflow): Promise<void>
  /** Follows one that may have left, to its end. */
  follow(ctx: OutflowsContext, outflow: Outflow): Promise<void>
}
