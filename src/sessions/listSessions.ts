import { Op, type WhereOptions } from 'sequelize'
import type { Chain } from '../chains/registry.ts'
import type { Db } from '../platform/db.ts'
import { decodeCursor, encodeCursor, type Page, type PageRequest, pageOf } from '../platform/pages.ts'
import { type PosSession, type SessionStatus, sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readPayments } from './readPayments.ts'
import { readHeights } from './readSurroundings.ts'

export interface SessionFilter {
  chain?: string
  token?: string
  status?: SessionStatus
  reference?: string
}

/** Sessions of the business by creation, the newest first unless asked otherwise. */
export async function listSessions(
  ctx: { db: Db; chains: readonly Chain[] },
  businessId: string,
  filter: SessionFilter,
  request: PageRequest,
): Promise<Page & { sessions: SessionView[] }> {
  const model = sessionModel(ctx.db.sequelize)
  const where: WhereOptions<PosSession> = { businessId, ...filter }
  const total = await model.count({ where })
  const beyond = request.sort === 'ASC' ? Op.gt : Op.lt
  const found = await model.findAll({
    // Ids are UUIDv7: their order is the order of creation, without ties.
    where: request.cursor ? { [Op.and]: [where, { id: { [beyond]: decodeCursor(request.cursor) } }] } : where,
    order: [['id', request.sort]],
    limit: request.limit,
    offset: request.cursor ? 0 : (request.page - 1) * request.limit,
  })
  const [payments, heights] = await Promise.all([
    readPayments(
      ctx.db,
      found.map((session) => session.id),
    ),
    readHeights(ctx.db),
  ])
  const last = found.at(-1)
  return {
    sessions: found.map((session) =>
      presentSession(
        session,
        payments.filter((payment) => payment.sessionId === session.id),
        { chains: ctx.chains, heights },
      ),
    ),
    ...pageOf(request, total, found.length === request.limit && last ? encodeCursor(last.id) : null),
  }
}
