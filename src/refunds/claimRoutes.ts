import type { ConfiguredChain } from '../chains/registry.ts'
import type { Prover } from '../custody/proof.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { claimRefund, lookAtClaim } from './claim.ts'

export interface ClaimRoutesContext {
  db: Db
  chains: readonly ConfiguredChain[]
  appKey: Secret
  txmgr: { prover: Prover }
}

/** For customers who have the link of a refund; they have no credential. */
export const refundClaimRoutes = ({ db, chains, appKey, txmgr }: ClaimRoutesContext): Routes => ({
  lookAtRefundClaim: async ({ body }) => ({ status: 200, body: await lookAtClaim({ db }, body.token) }),
  claimRefund: async ({ caller, body }) => ({
    status: 200,
    body: await claimRefund({ db, chains, appKey, maker: { madeBy: 'api', prover: txmgr.prover } }, caller.actor, body),
  }),
})
