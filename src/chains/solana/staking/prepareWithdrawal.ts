import { PublicKey, StakeProgram } from '@solana/web3.js'
import { type PreparedWithdrawal, type StakeOwner, StakeRefusedError } from '../../staking.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { requireStake } from './requireStake.ts'
import { callsOf } from './stakeCalls.ts'

/**
 * Pays out the whole balance, which closes the account. If lamports arrive in between, the program takes it
 * for a withdrawal of a part: it refuses one that leaves less than the rent.
 */
export async function prepareWithdrawal(
  ctx: Pick<SolanaSenderContext, 'providers'>,
  owner: StakeOwner,
): Promise<PreparedWithdrawal> {
  const { from } = owner
  const { stake } = await requireStake(ctx, owner)
  const { account, state, lamports, withdrawableAt } = stake
  if (state !== 'inactive' && state !== 'undelegated')
    throw new StakeRefusedError('not_withdrawable', 'the stake is not unstaked, or still cools down', {
      withdrawableAt,
    })
  const [stakePubkey, wallet] = [new PublicKey(account), new PublicKey(from)]
  const { instructions } = StakeProgram.withdraw({
    stakePubkey,
    authorizedPubkey: wallet,
    toPubkey: wallet,
    lamports: Number(lamports),
  })
  const receives = [{ address: from, token: null, amount: lamports }]
  return { action: callsOf(from, instructions, { spends: [], receives }), account, lamports }
}
