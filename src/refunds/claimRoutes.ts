import { refuseUnopened, type UnopenedContext } from '../chains/refuseUnopened.ts'
import type { Prover } from '../custody/proof.ts'
import type { Routes } from '../http/routes.ts'
import type { OutflowEvents } from '../outflows/outflowEvents.ts'
import type { Db } from '../platform/database/db.ts'
import { claimRefund, readClaim } from './claim.ts'

export interface ClaimRoutesContext extends UnopenedContext {
  db: Db
  outflowEvents: OutflowEvents
  txmgr: { prover: Prover }
}

/** For customers who have the link of a refund; they have no credential. */
export const refundClaimRoutes = ({
  db,
  chains,
  accounts,
  outflowEvents,
  txmgr,
}: ClaimRoutesContext): Routes => ({
  lookAtRefundClaim: async ({ body }) => ({ status: 200, body: await readClaim({ db }, body.token) }),
  async claimRefund({ caller, body }) {
    // Nodes are read for holders of a link alone.
    await readClaim({ db }, body.token)
    await refuseUnopened({ chains, accounts }, body.toAddress, 'toAddress')
    const refund = await claimRefund(
      { db, chains, outflowEvents, maker: { madeBy: 'api', prover: txmgr.prover } },
      caller.actor,
      body,
    )
    return { status: 200, body: refund }
  },
})
