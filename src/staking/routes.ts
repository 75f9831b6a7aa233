import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { readStakeRequest } from './readStakeRequest.ts'
import { type StakeContext, stake } from './stake.ts'
import { unstake } from './unstake.ts'
import { withdraw } from './withdraw.ts'

export type StakingRoutesContext = StakeContext & { db: ModelDb }

/** Stakes with keys of requests. */
export const stakingRoutes = (ctx: StakingRoutesContext): Routes => ({
  async createStake({ body, caller: { businessId }, remember }) {
    const wanted = await readStakeRequest(ctx, body)
    const view = await stake(ctx, { ...wanted, businessId }, (db, result) => remember(db, { status: 201, body: result }))
    return { status: 201, body: view }
  },
  async unstake({ body, caller: { businessId }, remember }) {
    const own = { db: ctx.db, chains: ctx.chains, prover: ctx.txmgr.prover }
    return { status: 200, body: await unstake(own, businessId, body, (tx, result) => remember(tx, { status: 200, body: result })) }
  },
  async withdrawStake({ body, caller: { businessId }, remember }) {
    return { status: 200, body: await withdraw(ctx, businessId, body, (tx, result) => remember(tx, { status: 200, body: result })) }
  },
})
