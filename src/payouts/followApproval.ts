import type { OutflowsContext } from './context.ts'
import type { Outflow } from './outflow.ts'

/** Ends the wait of an outflow whose approval was given, refused, or is over. */
export async function followApproval(_ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  throw new Error(`outflow ${outflow.id} waits for an approval`)
}
