import { type StakeAccount, type StakeOwner, StakeRefusedError } from '../../staking.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { readStake, type StakeNow } from './readStake.ts'

/**
 * A stake that its owner can change now.
 * @throws StakeRefusedError `stake_not_found`, `not_the_owner`, `rewards_being_paid`; ProviderError
 */
export async function requireStake(
  ctx: Pick<SolanaSenderContext, 'providers'>,
  owner: StakeOwner,
): Promise<StakeNow & { stake: StakeAccount }> {
  const { stake, time } = await readStake(ctx, owner)
  if (stake === null)
    throw new StakeRefusedError('stake_not_found', 'the wallet has no such stake on the chain')
  if (stake.staker !== owner.from || stake.withdrawer !== owner.from)
    throw new StakeRefusedError('not_the_owner', 'another key than the wallet’s controls the stake')
  if (time.paysRewards)
    throw new StakeRefusedError(
      'rewards_being_paid',
      'the chain pays the rewards of the last epoch and changes no stake meanwhile: retry in some minutes',
    )
  return { stake, time }
}
