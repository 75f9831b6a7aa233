import { Authorized, PublicKey, StakeProgram } from '@solana/web3.js'
import { type PreparedStake, type StakeOrder, StakeRefusedError } from '../../staking.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { requireVoting, stakeRequirements } from './requirements.ts'
import { seedOf, stakeAddress } from './stakeAddress.ts'
import { callsOf } from './stakeCalls.ts'

/**
 * Opens the account with rent and amount, and delegates it. The account's address can be opened once, so that
 * nothing is staked twice.
 */
export async function prepareStake(
  ctx: Pick<SolanaSenderContext, 'providers'>,
  order: StakeOrder,
): Promise<PreparedStake> {
  const { id, from, validator, amount } = order
  const [{ rent, minimum }] = await Promise.all([stakeRequirements(ctx), requireVoting(ctx, validator)])
  if (amount < minimum)
    throw new StakeRefusedError('below_minimum', 'the amount is below the minimum of a stake', { minimum })
  const [stakePubkey, wallet] = [await stakeAddress(order), new PublicKey(from)]
  const opening = StakeProgram.createAccountWithSeed({
    fromPubkey: wallet,
    basePubkey: wallet,
    seed: seedOf(id),
    stakePubkey,
    authorized: new Authorized(wallet, wallet),
    lamports: Number(amount + rent),
  })
  const delegating = StakeProgram.delegate({
    stakePubkey,
    authorizedPubkey: wallet,
    votePubkey: new PublicKey(validator),
  })
  const spends = [{ address: from, token: null, amount: amount + rent }]
  const action = callsOf(from, [...opening.instructions, ...delegating.instructions], {
    spends,
    receives: [],
  })
  return { action, account: stakePubkey.toBase58(), rent }
}
