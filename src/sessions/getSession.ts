import type { Chain } from '../chains/registry.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { asSettled, readPayments } from './readPayments.ts'
import { readHeights } from './readSurroundings.ts'

/** A session of the business. @throws ApiError 404, for a stranger's session too */
export async function getSession(ctx: { db: ModelDb; chains: readonly Chain[] }, businessId: string, id: string): Promise<SessionView> {
  if (!isUuid(id)) throw notFound('Session')
  return ctx.db.snapshot(async (tx) => {
    const session = await sessionModel(ctx.db.sequelize).findOne({ where: { id, businessId }, transaction: tx.transaction })
    if (!session) throw notFound('Session')
    const payments = asSettled(await readPayments(tx, [id]))
    return presentSession(session, payments, { chains: ctx.chains, heights: await readHeights(tx) })
  })
}
