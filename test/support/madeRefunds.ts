import { moveOutflow, type OutflowChange } from '../../src/outflows/moveOutflow.ts'
import { lockOutflow, type Outflow, type OutflowStatus } from '../../src/outflows/outflow.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createRefund } from '../../src/refunds/createRefund.ts'
import type { RefundRequest } from '../../src/refunds/readRefundRequest.ts'
import { settleSession } from '../../src/sessions/settleSession.ts'
import { provers } from './intentKeys.ts'
import { type MadeSession, makePayment, makeSession } from './madeSessions.ts'
import { outflowEventsFor } from './outflowEvents.ts'
import { chains } from './sessionDatabase.ts'
import { settling } from './settling.ts'
import { appKey } from './template.ts'

/** Sessions with money that can be refunded, and their refunds, without a chain: USDC on ethereum. */

const usdc = (amount: number) => BigInt(amount * 1_000_000)

export const settleMade = (db: ModelDb, sessionId: string) =>
  settleSession({ ...settling, db, chains }, { sessionId, outboxId: '0' })

/** A session of 10 USDC that got `came`, and is paid where that is enough. */
export async function makePaidSession(db: ModelDb, businessId: string, came = 20): Promise<MadeSession> {
  const session = await makeSession(db, businessId, usdc(10))
  await makePayment(db, session, { amount: usdc(came) })
  await settleMade(db, session.id)
  return session
}

/** A refund that the business itself requests. */
export const refundMade = (db: ModelDb, businessId: string, sessionId: string, wanted: RefundRequest) =>
  createRefund(
    {
      db,
      chains,
      maker: { madeBy: 'api', prover: provers.api },
      issuer: 'http://localhost',
      claimDays: 7,
      coinUsd: new Map(),
    },
    { businessId, account: null, apiKey: null },
    sessionId,
    wanted,
    async () => {},
  )

/** A paid session with a refund that waits for its claim, and money that is left. */
export async function makeRefund(
  db: ModelDb,
  businessId: string,
): Promise<{ refunded: string; refund: string }> {
  const { id: refunded } = await makePaidSession(db, businessId)
  const { id } = await refundMade(db, businessId, refunded, { amount: '2', claim: true })
  return { refunded, refund: id }
}

/** Takes an outflow through these states, as its worker does, without sending anything. */
export async function moveMade(db: ModelDb, id: string, ...statuses: OutflowStatus[]): Promise<void> {
  for (const status of statuses) {
    await db.tx(async (tx) => {
      const outflow = await lockOutflow(tx, id)
      if (!outflow) throw new Error(`there is no outflow ${id}`)
      await moveOutflow(
        { outflowEvents: outflowEventsFor(new Secret(appKey)) },
        tx,
        outflow,
        changeTo(outflow, status),
      )
    })
  }
}

function changeTo({ status: before, kind }: Outflow, status: OutflowStatus): OutflowChange {
  if (status === 'cancelled') return { status, release: kind === 'refund' ? 'refund_cancelled' : 'cancelled' }
  if (status !== 'failed') return { status }
  if (before === 'completed') return { status, release: 'taken_back' }
  return { status, release: before === 'pending' ? 'refused_by_worker' : 'chain_failed' }
}

/** An address of no one. */
export const someAddress = () => `0x${newId().replaceAll('-', '')}00000000`
