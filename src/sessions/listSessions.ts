import type { Chain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type SessionStatus, sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { asSettled, readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'

export interface SessionFilter {
  chain?: string
  token?: string
  status?: SessionStatus
  reference?: string
}

/** Sessions of the business, newest first unless requested otherwise. */
export async function listSessions(
  ctx: { db: ModelDb; chains: readonly Chain[] },
  businessId: string,
  filter: SessionFilter,
  request: PageRequest,
): Promise<Page & { sessions: SessionView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const { rows, page } = await findPage(sessionModel(ctx.db.sequelize), { businessId, ...filter }, request, tx.transaction)
    const ids = rows.map((session) => session.id)
    const payments = asSettled(await readPayments(tx, ids))
    const refunds = await readRefunds(tx, ids)
    const context = { chains: ctx.chains, heights: await readHeights(tx) }
    const sessions = rows.map((session) =>
      presentSession(
        session,
        payments.filter((payment) => payment.sessionId === session.id),
        context,
        refunds.filter((refund) => refund.sessionId === session.id),
      ),
    )
    return { sessions, ...page }
  })
}
