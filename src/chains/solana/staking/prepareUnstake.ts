import { PublicKey, StakeProgram, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import {
  type PreparedUnstake,
  type StakeAccount,
  StakeRefusedError,
  type UnstakeOrder,
} from '../../staking.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { stakeRequirements } from './requirements.ts'
import { requireStake } from './requireStake.ts'
import { seedOf, stakeAddress } from './stakeAddress.ts'
import { callsOf } from './stakeCalls.ts'
import { stakeBytes } from './stakeData.ts'
import { startOf } from './sysvars.ts'

type Context = Pick<SolanaSenderContext, 'providers'>

/** Deactivates the stake; of a part, moves the rest to an account of its own before. */
export async function prepareUnstake(ctx: Context, order: UnstakeOrder): Promise<PreparedUnstake> {
  const { from, part } = order
  const { stake, time } = await requireStake(ctx, order)
  if (stake.state === 'deactivating' || stake.state === 'inactive' || stake.state === 'undelegated')
    throw new StakeRefusedError('already_unstaking', 'the stake is unstaked already', {
      withdrawableAt: stake.withdrawableAt,
    })
  const [stakePubkey, wallet] = [new PublicKey(stake.account), new PublicKey(from)]
  const split = part && (await splitOff(ctx, from, part, stake))
  const deactivation = StakeProgram.deactivate({ stakePubkey, authorizedPubkey: wallet }).instructions
  const spends = split ? [{ address: from, token: null, amount: split.rest.rent }] : []
  // Nothing has warmed up in the epoch of the delegation: it is inactive at once.
  const withdrawableAt = startOf(time, stake.effective === 0n ? time.epoch : time.epoch + 1n)
  return {
    action: callsOf(from, [...(split?.instructions ?? []), ...deactivation], { spends, receives: [] }),
    account: stake.account,
    rest: split?.rest ?? null,
    withdrawableAt,
  }
}

interface Split {
  instructions: TransactionInstruction[]
  rest: NonNullable<PreparedUnstake['rest']>
}

/** The program refuses parts below the minimum on either side (solana-program/stake, `process_split`). */
async function splitOff(
  ctx: Context,
  from: string,
  part: NonNullable<UnstakeOrder['part']>,
  stake: StakeAccount,
): Promise<Split> {
  const { rent, minimum } = await stakeRequirements(ctx)
  const { amount, restId } = part
  const delegated = stake.delegated - amount
  if (delegated < 0n) throw new StakeRefusedError('more_than_staked', 'the stake is less than the part')
  if (amount < minimum)
    throw new StakeRefusedError('below_minimum', 'the part is below the minimum of a stake', { minimum })
  if (delegated < minimum)
    throw new StakeRefusedError('rest_below_minimum', 'the rest would be below the minimum of a stake', {
      minimum,
    })
  const [wallet, restAccount] = [new PublicKey(from), await stakeAddress({ id: restId, from })]
  const opening = SystemProgram.createAccountWithSeed({
    fromPubkey: wallet,
    basePubkey: wallet,
    seed: seedOf(restId),
    newAccountPubkey: restAccount,
    lamports: Number(rent),
    space: stakeBytes,
    programId: StakeProgram.programId,
  })
  const splitting = StakeProgram.split(
    {
      stakePubkey: new PublicKey(stake.account),
      authorizedPubkey: wallet,
      splitStakePubkey: restAccount,
      lamports: Number(delegated),
    },
    Number(rent),
  ).instructions.slice(1)
  return { instructions: [opening, ...splitting], rest: { account: restAccount.toBase58(), delegated, rent } }
}
