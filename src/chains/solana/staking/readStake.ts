import { StakeProgram } from '@solana/web3.js'
import { ProviderError } from '../../chain.ts'
import { agreedAnswers } from '../../providers/agreeAnswer.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { StakeAccount, StakeOwner, StakeReading, StakeState } from '../../staking.ts'
import { type Account, accountsOf } from '../chainState.ts'
import type { SolanaSenderContext } from '../send/senderContext.ts'
import { type Activation, activationAt, inactiveFrom } from './activation.ts'
import { stakeAddress } from './stakeAddress.ts'
import { type Delegation, never, readStakeData, type StakeData } from './stakeData.ts'
import { type ChainTime, readSysvars, startOf, sysvars } from './sysvars.ts'

/** A stake at the time of the chain. */
export interface StakeNow {
  /** Null if the account does not exist, or is not a stake. */
  stake: StakeAccount | null
  time: ChainTime
}

type Context = Pick<SolanaSenderContext, 'providers'>

/** Money is paid by it, so that providers must agree. They may be some slots apart. @throws ProviderError */
export async function readStake(ctx: Context, owner: StakeOwner): Promise<StakeNow> {
  const [answer] = await readStakes(ctx, [owner])
  if (answer === undefined || answer instanceof ProviderError)
    throw answer ?? new ProviderError('no stake was read')
  return answer
}

/** Stakes of one call, which has the time of the chain, too. Limit of a call: 100 accounts. */
const stakesAtOnce = 100 - sysvars.length

/**
 * @returns in the order of the owners; an error for one about which the providers disagree. @throws
 * ProviderError
 */
export async function readEachStake(
  ctx: Context,
  owners: readonly StakeOwner[],
): Promise<(StakeReading | ProviderError)[]> {
  const looks: (StakeReading | ProviderError)[] = []
  for (let at = 0; at < owners.length; at += stakesAtOnce) {
    const answers = await readStakes(ctx, owners.slice(at, at + stakesAtOnce))
    looks.push(...answers.map((answer) => (answer instanceof ProviderError ? answer : lookOf(answer))))
  }
  return looks
}

const lookOf = ({ stake, time }: StakeNow): StakeReading => ({
  account: stake,
  slot: Number(time.slot),
  epochEndsAt: startOf(time, time.epoch + 1n),
  paysRewards: time.paysRewards,
})

async function readStakes(
  { providers }: Context,
  owners: readonly StakeOwner[],
): Promise<(StakeNow | ProviderError)[]> {
  const addresses = await Promise.all(owners.map(async (owner) => (await stakeAddress(owner)).toBase58()))
  return agreedAnswers(providers, 'a stake', (rpc) => readStakesBy(rpc, addresses), nameOf)
}

function nameOf({ stake, time }: StakeNow): string {
  const { withdrawableAt: _, ...facts } = stake ?? { withdrawableAt: null }
  return JSON.stringify([facts, time.epoch, time.paysRewards], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** Accounts and time from one state of the chain. */
async function readStakesBy(rpc: JsonRpc, addresses: readonly string[]): Promise<StakeNow[]> {
  const found = await accountsOf(rpc, [...sysvars, ...addresses])
  const time = readSysvars(rpc.name, found.slice(0, sysvars.length))
  return addresses.map((address, index) => ({
    stake: stakeOf(address, found[sysvars.length + index] ?? null, time),
    time,
  }))
}

export function stakeOf(address: string, account: Account | null, time: ChainTime): StakeAccount | null {
  const data = account?.owner === StakeProgram.programId.toBase58() ? readStakeData(account.data) : null
  return account && data && { account: address, lamports: account.lamports, ...factsOf(data, time) }
}

function factsOf(
  { staker, withdrawer, delegation }: StakeData,
  time: ChainTime,
): Omit<StakeAccount, 'account' | 'lamports'> {
  const nothing = { effective: 0n, activating: 0n, deactivating: 0n }
  if (delegation === null)
    return {
      staker,
      withdrawer,
      validator: null,
      delegated: 0n,
      state: 'undelegated',
      ...nothing,
      withdrawableAt: null,
    }
  const activation = activationAt(delegation, time.epoch, time.history)
  return {
    staker,
    withdrawer,
    validator: delegation.voter,
    delegated: delegation.stake,
    state: stateOf(delegation, activation),
    ...activation,
    withdrawableAt: withdrawableAt(delegation, activation, time),
  }
}

function stateOf({ deactivationEpoch }: Delegation, { effective, activating }: Activation): StakeState {
  if (deactivationEpoch === never) return activating > 0n ? 'activating' : 'active'
  return effective > 0n ? 'deactivating' : 'inactive'
}

/** Null while it is not deactivated. */
function withdrawableAt(delegation: Delegation, { effective }: Activation, time: ChainTime): Date | null {
  if (delegation.deactivationEpoch === never) return null
  return startOf(time, effective === 0n ? time.epoch : inactiveFrom(delegation, time.epoch, time.history))
}
