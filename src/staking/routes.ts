import type { Routes } from '../http/routes.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { isNative } from './native/nativeStakes.ts'
import type { NativeContext } from './native/sendNative.ts'
import { stakeNative } from './native/stakeNative.ts'
import { unstakeNative } from './native/unstakeNative.ts'
import { withdrawNative } from './native/withdrawNative.ts'
import { readStakeRequest } from './readStakeRequest.ts'
import { type StakeContext, stake } from './stake.ts'
import { unstake } from './unstake.ts'
import { withdraw } from './withdraw.ts'

export type StakingRoutesContext = StakeContext & NativeContext & { db: ModelDb }

/** Stakes with keys of requests. */
export const stakingRoutes = (ctx: StakingRoutesContext): Routes => ({
  async createStake({ body, caller: { businessId }, remember }) {
    const wanted = await readStakeRequest(ctx, body)
    const make = wanted.plan.type === 'native' ? stakeNative : stake
    const view = await make(ctx, { ...wanted, businessId }, (db, result) =>
      remember(db, { status: 201, body: result }),
    )
    return { status: 201, body: view }
  },
  async unstake({ body, caller: { businessId }, remember }) {
    const also = (tx: Queryable, result: object) => remember(tx, { status: 200, body: result })
    if (await isNative(ctx.db, businessId, body.stakeId))
      return { status: 200, body: await unstakeNative(ctx, businessId, body, also) }
    const own = { db: ctx.db, chains: ctx.chains, prover: ctx.txmgr.prover }
    return { status: 200, body: await unstake(own, businessId, body, also) }
  },
  async withdrawStake({ body, caller: { businessId }, remember }) {
    const also = (tx: Queryable, result: object) => remember(tx, { status: 200, body: result })
    const pay = (await isNative(ctx.db, businessId, body.stakeId)) ? withdrawNative : withdraw
    return { status: 200, body: await pay(ctx, businessId, body, also) }
  },
})
