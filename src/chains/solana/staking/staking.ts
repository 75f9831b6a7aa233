import type { ChainStaking } from '../../staking.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { prepareStake } from './prepareStake.ts'
import { prepareUnstake } from './prepareUnstake.ts'
import { prepareWithdrawal } from './prepareWithdrawal.ts'
import { readEachStake } from './readStake.ts'
import { stakeRequirements } from './requirements.ts'

/** Native stakes of SOL, by the stake program. */
export const solanaStaking = (ctx: Pick<SolanaSenderContext, 'providers'>): ChainStaking => ({
  requirements: () => stakeRequirements(ctx),
  stake: (order) => prepareStake(ctx, order),
  unstake: (order) => prepareUnstake(ctx, order),
  withdraw: (owner) => prepareWithdrawal(ctx, owner),
  look: (owners) => readEachStake(ctx, owners),
})
