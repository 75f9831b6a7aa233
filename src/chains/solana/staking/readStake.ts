import { StakeProgram } from '@solana/web3.js'
import { agreedAnswer } from '../../agreeAnswer.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { StakeAccount, StakeOwner, StakeState } from '../../staking.ts'
import { type Account, accountsOf } from '../chainState.ts'
import type { SolanaSenderContext } from '../senderContext.ts'
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
export async function readStake({ providers }: Context, owner: StakeOwner): Promise<StakeNow> {
  const address = (await stakeAddress(owner)).toBase58()
  return agreedAnswer(providers, 'a stake', (rpc) => readStakeBy(rpc, address), nameOf)
}

function nameOf({ stake, time }: StakeNow): string {
  const { withdrawableAt: _, ...facts } = stake ?? { withdrawableAt: null }
  return JSON.stringify([facts, time.epoch, time.paysRewards], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** Account and time from one state of the chain. */
async function readStakeBy(rpc: JsonRpc, address: string): Promise<StakeNow> {
  const [account = null, ...rest] = await accountsOf(rpc, [address, ...sysvars])
  const time = readSysvars(rpc.name, rest)
  return { stake: stakeOf(address, account, time), time }
}

export function stakeOf(address: string, account: Account | null, time: ChainTime): StakeAccount | null {
  const data = account?.owner === StakeProgram.programId.toBase58() ? readStakeData(account.data) : null
  return account && data && { account: address, lamports: account.lamports, ...factsOf(data, time) }
}

function factsOf({ staker, withdrawer, delegation }: StakeData, time: ChainTime): Omit<StakeAccount, 'account' | 'lamports'> {
  const nothing = { effective: 0n, activating: 0n, deactivating: 0n }
  if (delegation === null) return { staker, withdrawer, validator: null, delegated: 0n, state: 'undelegated', ...nothing, withdrawableAt: null }
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
