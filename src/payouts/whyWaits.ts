import type { OutflowsContext } from './context.ts'
import type { Outflow } from './outflow.ts'

/** Why a pending outflow does not leave now. `ends`: it never will. */
export interface Stop {
  /** A stable code. */
  reason: string
  nextInMs: number
  ends: boolean
}

/** @returns null if it may leave */
export async function whyWaits(_ctx: OutflowsContext, _outflow: Outflow): Promise<Stop | null> {
  return null
}
