import type { Db } from '../platform/database/db.ts'
import { lockOutflow, type Outflow } from './outflow.ts'
import { type GateContext, outflowStop } from './outflowGate.ts'
import { type ScreeningContext, screeningReason, screenOutflow } from './screening/screenOutflow.ts'
import type { Stop } from './stop.ts'

export interface WaitContext extends GateContext, ScreeningContext {
  db: Db
}

/**
 * Reads the gate before a pending outflow is prepared, and queries the operator's screening where only that
 * is missing. The gate is read again where the outflow is claimed.
 * @returns null if it may leave
 */
export async function waitReason(ctx: WaitContext, outflow: Outflow): Promise<Stop | null> {
  const stop = await readGate(ctx, outflow.id)
  if (stop?.reason !== screeningReason) return stop
  return (await screenOutflow(ctx, outflow)) ?? readGate(ctx, outflow.id)
}

const readGate = (ctx: WaitContext, id: string): Promise<Stop | null> =>
  ctx.db.tx(async (tx) => {
    const now = await lockOutflow(tx, id)
    if (!now) throw new Error(`outflow ${id} is gone`)
    return outflowStop(ctx, tx, now)
  })
