import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Keypair, PublicKey, StakeAuthorizationLayout, StakeProgram } from '@solana/web3.js'
import {
  builder,
  newAddress,
  privateKeyOf,
  type SolanaSending,
  sent,
  startSolanaSending,
} from '../../../../test/support/solanaSending.ts'
import type { CallsSpec } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { type ChainStaking, type StakeAccount, StakeRefusedError, stakeRewards } from '../../staking.ts'
import { callsOf } from './stakeCalls.ts'
import { solanaStaking } from './staking.ts'

const sol = 1_000_000_000n
const rent = 2_282_880n
let chain: SolanaSending
let staking: ChainStaking
let validator: string
let delinquent: string
let wallet: Keypair
let from: string

interface VoteAccounts {
  current: { votePubkey: string }[]
  delinquent: { votePubkey: string }[]
}

beforeAll(async () => {
  chain = await startSolanaSending()
  staking = solanaStaking(chain.ctx)
  const listed = (await chain.connection.getVoteAccounts('confirmed')) as VoteAccounts
  validator = listed.current[0]?.votePubkey ?? ''
  delinquent = listed.delinquent[0]?.votePubkey ?? ''
  wallet = await chain.wallet(100n * sol)
  from = wallet.publicKey.toBase58()
})
afterAll(() => chain.close())

const endEpoch = (params: object = {}) => chain.devnet.control('epoch', params)
const refused = async (what: Promise<unknown>): Promise<StakeRefusedError> => {
  const error = await what.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StakeRefusedError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

/** Plans, signs and sends as for any action. @returns lamports that left the wallet */
async function carryOut(action: CallsSpec): Promise<{ left: bigint; fee: bigint }> {
  const before = await chain.lamportsOf(from)
  const plan = await chain.sender.plan(action)
  expect(plan.shortages).toEqual([])
  const transaction = builder.sign(action, plan.terms, null, [privateKeyOf(wallet)])
  expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
  await chain.mine()
  expect(await chain.sender.outcome(from, [sent(transaction)])).toMatchObject({
    status: 'included',
    succeeded: true,
    fee: plan.fee.max,
  })
  return { left: before - (await chain.lamportsOf(from)) - plan.fee.max, fee: plan.fee.max }
}

/** The account of a stake. */
async function read(owner: { id: string; from: string }): Promise<StakeAccount | null> {
  const [look] = await staking.look([owner])
  if (!look || look instanceof ProviderError) throw look ?? new Error('no stake was read')
  return look.account
}

async function staked(amount: bigint): Promise<{ id: string; from: string }> {
  const owner = { id: randomUUID(), from }
  const { action } = await staking.stake({ ...owner, validator, amount })
  await carryOut(action)
  return owner
}

describe('a native stake', () => {
  test('warms up, is split, cools down and comes back: with rent and rewards, to the lamport', async () => {
    expect(await staking.requirements()).toEqual({ rent, minimum: sol })
    const owner = { id: randomUUID(), from }
    expect(await read(owner)).toBeNull()
    const prepared = await staking.stake({ ...owner, validator, amount: 5n * sol })
    expect(prepared.rent).toBe(rent)
    expect((await carryOut(prepared.action)).left).toBe(5n * sol + rent)
    const facts = {
      account: prepared.account,
      lamports: 5n * sol + rent,
      staker: from,
      withdrawer: from,
      validator,
      delegated: 5n * sol,
    }
    const nothing = { effective: 0n, activating: 0n, deactivating: 0n, withdrawableAt: null }
    expect(await read(owner)).toEqual({ ...facts, ...nothing, state: 'activating', activating: 5n * sol })

    await endEpoch()
    expect(await read(owner)).toEqual({ ...facts, ...nothing, state: 'active', effective: 5n * sol })
    await endEpoch({ rewardPerSol: 1_000_001 })
    const reward = 5n * 1_000_001n
    const earned = await read(owner)
    expect(earned).toMatchObject({
      lamports: 5n * sol + rent + reward,
      delegated: 5n * sol + reward,
      state: 'active',
    })
    expect(earned && stakeRewards(earned, { amount: 5n * sol, rent })).toBe(reward)

    const restOwner = { id: randomUUID(), from }
    const unstaking = await staking.unstake({ ...owner, part: { amount: 2n * sol, restId: restOwner.id } })
    expect(unstaking.rest).toMatchObject({ delegated: 3n * sol + reward, rent })
    expect((await carryOut(unstaking.action)).left).toBe(rent)
    const leaving = await read(owner)
    expect(leaving).toMatchObject({
      lamports: 2n * sol + rent,
      state: 'deactivating',
      effective: 2n * sol,
      deactivating: 2n * sol,
    })
    expect(leaving?.withdrawableAt?.getTime()).toBeGreaterThan(Date.now() + 40 * 3_600_000)
    const restAccount = unstaking.rest?.account
    const stays = {
      account: restAccount,
      lamports: 3n * sol + reward + rent,
      delegated: 3n * sol + reward,
      validator,
      state: 'active',
    }
    expect(await read(restOwner)).toMatchObject(stays)

    const early = await refused(staking.withdraw(owner))
    expect(early).toMatchObject({ reason: 'not_withdrawable', withdrawableAt: leaving?.withdrawableAt })
    expect(await refused(staking.unstake({ ...owner, part: null }))).toMatchObject({
      reason: 'already_unstaking',
    })

    await endEpoch({ rewardPerSol: 1000 })
    expect(await read(owner)).toMatchObject({
      lamports: 2n * sol + rent + 2000n,
      state: 'inactive',
      effective: 0n,
    })
    const withdrawal = await staking.withdraw(owner)
    expect(withdrawal.lamports).toBe(2n * sol + rent + 2000n)
    expect((await carryOut(withdrawal.action)).left).toBe(-withdrawal.lamports)
    expect(await read(owner)).toBeNull()
    expect(await refused(staking.withdraw(owner))).toMatchObject({ reason: 'stake_not_found' })

    const rest = await read(restOwner)
    const second = ((3n * sol + reward) * 1000n) / sol
    expect(rest && stakeRewards(rest, { amount: 3n * sol, rent })).toBe(reward + second)
  })

  test('warms up and cools down over several epochs while much of the cluster does, as the program counts it', async () => {
    const owner = await staked(10n * sol)
    const others = String(2_000_000_000n * sol)
    await endEpoch({ others: { activating: others } })
    const warming = await read(owner)
    expect(warming?.state).toBe('activating')
    expect(warming?.effective).toBeGreaterThan(0n)
    expect((warming?.effective ?? 0n) + (warming?.activating ?? 0n)).toBe(10n * sol)
    await endEpoch()
    expect(await read(owner)).toMatchObject({ state: 'active', effective: 10n * sol })
    const { withdrawableAt: promised } = await staking.unstake({ ...owner, part: null })
    await carryOut((await staking.unstake({ ...owner, part: null })).action)
    await endEpoch({ others: { deactivating: others } })
    const cooling = await read(owner)
    expect(cooling?.state).toBe('deactivating')
    expect(cooling?.effective).toBeLessThan(10n * sol)
    expect(cooling?.withdrawableAt?.getTime()).toBeGreaterThan(promised.getTime() + 40 * 3_600_000)
    expect(await refused(staking.withdraw(owner))).toMatchObject({ reason: 'not_withdrawable' })
    await endEpoch()
    const { lamports, action } = await staking.withdraw(owner)
    expect(lamports).toBe(10n * sol + rent)
    expect((await carryOut(action)).left).toBe(-lamports)
  })

  test('unstaked in the epoch of its delegation can be withdrawn at once', async () => {
    const owner = await staked(sol)
    const { action, withdrawableAt } = await staking.unstake({ ...owner, part: null })
    expect(withdrawableAt.getTime()).toBeLessThanOrEqual(Date.now())
    await carryOut(action)
    expect(await read(owner)).toMatchObject({ state: 'inactive' })
    const withdrawal = await staking.withdraw(owner)
    expect((await carryOut(withdrawal.action)).left).toBe(-(sol + rent))
  })

  test('is opened once: a second transaction of the same stake is refused by the chain', async () => {
    const order = { id: randomUUID(), from, validator, amount: sol }
    const { action } = await staking.stake(order)
    await carryOut(action)
    await expect(chain.sender.plan(action)).rejects.toMatchObject({ reason: 'simulation_failed' })
  })
})

describe('is refused by name', () => {
  test('a stake below the minimum, and one with a validator that is delinquent, unknown or no vote account', async () => {
    const order = { id: randomUUID(), from, validator, amount: sol }
    expect(await refused(staking.stake({ ...order, amount: sol - 1n }))).toMatchObject({
      reason: 'below_minimum',
      minimum: sol,
    })
    expect(await refused(staking.stake({ ...order, validator: delinquent }))).toMatchObject({
      reason: 'validator_delinquent',
    })
    for (const other of [newAddress(), from]) {
      expect(await refused(staking.stake({ ...order, validator: other }))).toMatchObject({
        reason: 'validator_unknown',
      })
    }
  })

  test('a part below the minimum, one with a rest below it, and more than there is', async () => {
    const owner = await staked(3n * sol)
    const part = (amount: bigint) => staking.unstake({ ...owner, part: { amount, restId: randomUUID() } })
    expect(await refused(part(sol - 1n))).toMatchObject({ reason: 'below_minimum', minimum: sol })
    expect(await refused(part(2n * sol + 1n))).toMatchObject({ reason: 'rest_below_minimum', minimum: sol })
    expect(await refused(part(3n * sol + 1n))).toMatchObject({ reason: 'more_than_staked' })
    expect((await part(2n * sol)).rest).toMatchObject({ delegated: sol })
  })

  test('a stake of another wallet, and one that does not exist', async () => {
    const { id } = await staked(sol)
    expect(await refused(staking.unstake({ id, from: newAddress(), part: null }))).toMatchObject({
      reason: 'stake_not_found',
    })
    expect(await refused(staking.withdraw({ id: randomUUID(), from }))).toMatchObject({
      reason: 'stake_not_found',
    })
  })

  test('a stake that another key controls since', async () => {
    const owner = await staked(sol)
    const { account } = (await read(owner)) ?? {}
    const { instructions } = StakeProgram.authorize({
      stakePubkey: new PublicKey(account ?? ''),
      authorizedPubkey: wallet.publicKey,
      newAuthorizedPubkey: new PublicKey(newAddress()),
      stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
    })
    await carryOut(callsOf(from, instructions, { spends: [], receives: [] }))
    expect(await refused(staking.unstake({ ...owner, part: null }))).toMatchObject({
      reason: 'not_the_owner',
    })
    expect(await refused(staking.withdraw(owner))).toMatchObject({ reason: 'not_the_owner' })
  })

  test('a change while the chain pays rewards', async () => {
    const owner = await staked(sol)
    await chain.devnet.control('distribution', { on: true })
    expect(await refused(staking.unstake({ ...owner, part: null }))).toMatchObject({
      reason: 'rewards_being_paid',
    })
    expect(await refused(staking.withdraw(owner))).toMatchObject({ reason: 'rewards_being_paid' })
    await chain.devnet.control('distribution', { on: false })
    await carryOut((await staking.unstake({ ...owner, part: null })).action)
  })
})

describe('one node with another report does not decide', () => {
  const lies = {
    getVoteAccounts: { current: [], delinquent: [] },
    getStakeMinimumDelegation: { value: 1 },
    getMultipleAccounts: { value: [] },
  }

  test('about a validator, the minimum or a stake', async () => {
    const owner = await staked(sol)
    const split = solanaStaking(chain.withLiar(lies, 'last'))
    for (const asked of [
      split.requirements(),
      split.stake({ ...owner, validator, amount: sol }),
      split.look([owner]),
    ])
      await expect(asked).rejects.toBeInstanceOf(ProviderError)
    const balance = (lamports: number) => ({ ...lies, getMinimumBalanceForRentExemption: lamports })
    await expect(solanaStaking(chain.withLiar(balance(1), 'first')).requirements()).rejects.toThrow(
      'providers disagree about the minimum of a stake',
    )
  })

  test('two nodes that agree suffice', async () => {
    const owner = await staked(sol)
    const both = solanaStaking(chain.through('first', 'second'))
    expect(await both.requirements()).toEqual({ rent, minimum: sol })
    expect(await both.look([owner])).toEqual(await staking.look([owner]))
  })
})

test('many stakes are read with few calls, each with the time of the chain', async () => {
  const owners = [await staked(sol), ...Array.from({ length: 110 }, () => ({ id: randomUUID(), from }))]
  const { providers } = chain.ctx
  const sizes: number[] = []
  const call =
    (rpc: JsonRpc): JsonRpc['call'] =>
    (method, params) => {
      sizes.push((params as [string[]])[0].length)
      return rpc.call(method, params)
    }
  const counting: typeof providers.ask = (ask, only) =>
    providers.ask((rpc) => ask({ ...rpc, call: call(rpc) }), only)
  const looks = await solanaStaking({ providers: { ...providers, ask: counting } }).look(owners)
  expect(sizes).toEqual([100, 19])
  expect(looks).toHaveLength(111)
  expect(looks[0]).toMatchObject({
    account: { lamports: sol + rent, state: 'activating' },
    paysRewards: false,
  })
  expect(looks[110]).toMatchObject({ account: null })
  const [first] = looks
  if (!first || first instanceof ProviderError) throw new Error('no stake was read')
  expect(first.slot).toBeGreaterThan(0)
  expect(first.epochEndsAt.getTime()).toBeGreaterThan(Date.now())
})
