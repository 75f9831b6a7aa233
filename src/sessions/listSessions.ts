import type { Chain } from '../chains/registry.ts'
import type { Db } from '../platform/db.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type SessionStatus, sessionModel } from './model.ts'
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
  const { rows, page } = await findPage(sessionModel(ctx.db.sequelize), { businessId, ...filter }, request)
  const [payments, heights] = await Promise.all([
    readPayments(
      ctx.db,
      rows.map((session) => session.id),
    ),
    readHeights(ctx.db),
  ])
  return {
    sessions: rows.map((session) =>
      presentSession(
        session,
        payments.filter((payment) => payment.sessionId === session.id),
        { chains: ctx.chains, heights },
      ),
    ),
    ...page,
  }
}
