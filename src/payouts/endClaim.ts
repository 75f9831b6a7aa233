import type { OutflowsContext } from './context.ts'
import type { Outflow } from './outflow.ts'

/** Cancels a refund whose link has expired. */
export async function endClaim(_ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  throw new Error(`outflow ${outflow.id} waits for its claim`)
}
