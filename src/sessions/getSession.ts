import type { Chain } from '../chains/registry.ts'
import type { Db } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readPayments } from './readPayments.ts'
import { readHeights } from './readSurroundings.ts'

/** A session of the business. @throws ApiError 404, for a stranger's session too */
export async function getSession(ctx: { db: Db; chains: readonly Chain[] }, businessId: string, id: string): Promise<SessionView> {
  const session = isUuid(id) ? await sessionModel(ctx.db.sequelize).findOne({ where: { id, businessId } }) : null
  if (!session) throw notFound('Session')
  const [payments, heights] = await Promise.all([readPayments(ctx.db, [session.id]), readHeights(ctx.db)])
  return presentSession(session, payments, { chains: ctx.chains, heights })
}
