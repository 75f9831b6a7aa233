import { randomInt } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { PublicKey, StakeProgram, type Transaction } from '@solana/web3.js'
import { Redis } from 'ioredis'
import { parseUnits } from '../../src/chains/amount.ts'
import { send } from '../devnets/customers/solana.ts'
import { type NodeGate, passAll, startNodeGate } from '../faults/nodeGate.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import {
  chain,
  confirmedStake,
  endEpoch,
  feesOf,
  lamportsOf,
  lookAgain,
  nativePlan,
  sendStaking,
  sol,
  solStaker,
  type Validators,
  validatorsOf,
} from '../support/nativeStaking.ts'
import { newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type StakeBody, stakeIs, stakeOf, type Unstaked } from '../support/staking.ts'
import { waitFor } from '../support/waitFor.ts'

/** Native stakes on Solana: from the request to the chain's own program and back, to the lamport. */

const rent = 2_282_880n
let stack: Stack
let gate: NodeGate
let plan: string
let validators: Validators
beforeAll(async () => {
  stack = await createStack({
    chains: [chain],
    processes: ['api', 'worker'],
    env: { RPC_TIMEOUT_MS: '10000' },
    rpcUrls: async (url) => {
      gate = await startNodeGate(url)
      return [gate.url]
    },
  })
  plan = await nativePlan(stack)
  validators = await validatorsOf(stack)
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await gate?.close()
})

interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
}
interface Withdrawal {
  status: string
  amount: string
  rewards: string
  txHash: string | null
}
const request = (amount = '5') => ({ planId: plan, validator: validators.current, amount })
const staked = (payer: Payer, amount = '5') => confirmedStake(stack, payer, request(amount))
const unstake = <T = Unstaked & { withdrawableAt: string; txHash: string | null }>(payer: Payer, stakeId: string, more: object = {}) =>
  sendStaking<T>(stack, 'unstake', payer, { stakeId, ...more })
const withdraw = <T = Withdrawal>(payer: Payer, stakeId: string, more: object = {}) => sendStaking<T>(stack, 'withdraw', payer, { stakeId, ...more })
const is = (id: string, isSo: (stake: StakeBody) => boolean) => stakeIs(stack, chain, id, isSo)
const inState = (id: string, state: string) => is(id, ({ chainState }) => chainState === state)
const withdrawn = (id: string) => is(id, ({ status }) => status === 'withdrawn')
const eventsOf = async (id: string) => {
  await stack.idle()
  return (await stack.db.query<{ type: string }>("select type from events where data->>'id' = $1 order by sequence", [id])).map(({ type }) => type)
}

describe('a native stake', () => {
  test('warms up, is split, cools down and comes back: with its rent and rewards, to the lamport', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const made = await sendStaking(stack, 'stake', payer, request(), 'native-once')
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ type: 'native', token: 'SOL', amount: '5', status: 'active', rewards: '0', rent: '0.00228288', chainState: null }),
    ])
    expect(made.body).toMatchObject({ validator: validators.current, lockedUntil: made.body.createdAt, fromAddress: payer.address })
    const again = await sendStaking(stack, 'stake', payer, request(), 'native-once')
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([made.body.id, 'true'])
    const { id } = made.body
    expect((await unstake<Refusal>(payer, id)).body.error).toBe('stake_not_confirmed')

    const warming = await inState(id, 'activating')
    expect(warming).toMatchObject({ transactionStatus: 'confirmed', rewards: '0', withdrawableAt: null })
    expect(await lamportsOf(stack, payer.address)).toBe(before - 5n * sol - rent - (await feesOf(stack, payer.address)))
    await endEpoch(stack)
    await inState(id, 'active')
    await endEpoch(stack, { rewardPerSol: 1_000_000 })
    expect((await is(id, ({ rewards }) => rewards !== '0')).rewards).toBe('0.005')

    const part = await unstake(payer, id, { amountToUnstake: '2' })
    expect([part.status, part.body]).toEqual([
      200,
      expect.objectContaining({ id, status: 'unstaking', unstakedAmount: '2', penalty: '0', netAmount: '2', rewards: '0' }),
    ])
    expect(new Date(part.body.withdrawableAt).getTime()).toBeGreaterThan(Date.now() + 40 * 3_600_000)
    const restId = part.body.remainingStakeId ?? ''
    expect(await stakeOf(stack, restId)).toMatchObject({ status: 'active', amount: '3', rewards: '0.005', confirmedAt: null, rent: '0.00228288' })
    expect((await unstake<Refusal>(payer, restId)).body.error).toBe('stake_not_confirmed')
    expect((await withdraw<Refusal>(payer, id)).body.error).toBe('unstaking_pending')
    const cooling = await inState(id, 'deactivating')
    expect(cooling).toMatchObject({ status: 'unstaking', amount: '2', rewards: '0', penalty: '0' })
    const rest = await inState(restId, 'active')
    expect(rest).toMatchObject({ amount: '3', rewards: '0.005', createdAt: made.body.createdAt, confirmedAt: warming.confirmedAt })

    const early = await withdraw<Refusal>(payer, id)
    expect([early.status, early.body.error]).toEqual([409, 'stake_cooling_down'])
    expect(early.body.message).toContain(String(cooling.withdrawableAt).slice(0, 10))
    await endEpoch(stack, { rewardPerSol: 1000 })
    expect(await inState(id, 'inactive')).toMatchObject({ rewards: '0.000002' })
    const paid = await withdraw(payer, id)
    expect([paid.status, paid.body]).toEqual([200, expect.objectContaining({ id, status: 'unstaking', amount: '2', rewards: '0.000002' })])
    expect(await withdrawn(id)).toMatchObject({ amount: '2', rewards: '0.000002', netAmount: '2', rewardsPending: false, reason: null })

    const last = await unstake(payer, restId)
    expect(last.body).toMatchObject({ unstakedAmount: '3', remainingStakeId: null })
    await inState(restId, 'deactivating')
    await endEpoch(stack)
    await inState(restId, 'inactive')
    const payment = await withdraw(payer, restId)
    const done = await withdrawn(restId)
    expect(done.withdrawalTxHashes).toEqual([payment.body.txHash])
    // 0.005 before the split, and 1,000 lamports of each SOL, those of the rewards with them.
    expect(done.rewards).toBe('0.005003005')
    const earned = 2000n + 5_003_005n
    expect(await lamportsOf(stack, payer.address)).toBe(before + earned - (await feesOf(stack, payer.address)))
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
    expect(await eventsOf(restId)).toEqual(['stake.unstaking', 'stake.withdrawn'])
    expect(await stack.db.query("select 1 from ledger_entries where cause_kind like 'stake%'")).toEqual([])
  })

  test('is unstaked once and withdrawn once, however many ask at once', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '2')
    const before = await lamportsOf(stack, payer.address)
    const fees = await feesOf(stack, payer.address)
    const unstaked = await Promise.all(Array.from({ length: 8 }, () => unstake(payer, id)))
    expect(unstaked.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    // It has not warmed up: nothing cools down.
    await inState(id, 'inactive')
    const paid = await Promise.all(Array.from({ length: 8 }, () => withdraw(payer, id)))
    expect(paid.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    await withdrawn(id)
    expect(await lamportsOf(stack, payer.address)).toBe(before + 2n * sol + rent - ((await feesOf(stack, payer.address)) - fees))
    expect(await stack.db.query('select 1 from stake_moves where stake_id = $1', [id])).toHaveLength(2)
  })

  test('is staked, unstaked and withdrawn once with a FLUSHALL at each step', async () => {
    const redis = new Redis(stack.redis.url)
    try {
      const payer = await solStaker(stack)
      const before = await lamportsOf(stack, payer.address)
      const { body } = await sendStaking(stack, 'stake', payer, request('3'))
      await redis.flushall()
      await inState(body.id, 'activating')
      await redis.flushall()
      const { remainingStakeId } = (await unstake(payer, body.id, { amountToUnstake: '1' })).body
      await redis.flushall()
      await inState(body.id, 'inactive')
      await redis.flushall()
      expect((await withdraw(payer, body.id)).status).toBe(200)
      await redis.flushall()
      await withdrawn(body.id)
      await inState(remainingStakeId ?? '', 'activating')
      expect(await lamportsOf(stack, payer.address)).toBe(before - 2n * sol - rent - (await feesOf(stack, payer.address)))
      expect(await stack.db.query('select 1 from intents where from_address = $1', [payer.address])).toHaveLength(3)
      expect(await eventsOf(body.id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
    } finally {
      redis.disconnect()
    }
  })

  test('that its owner deactivates and withdraws with another tool is followed', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '1')
    await deactivate(payer, id)
    expect(await inState(id, 'inactive')).toMatchObject({ status: 'unstaking', penalty: '0' })
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking'])
    expect((await unstake<Refusal>(payer, id)).body.error).toBe('stake_not_active')
    await withdraw(payer, id)
    await withdrawn(id)
  })

  test('that its owner delegates again with another tool is active, and is unstaked once more', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '1')
    await unstake(payer, id)
    await inState(id, 'inactive')
    await byOwner(payer, id, (stakePubkey, authorizedPubkey) =>
      StakeProgram.delegate({ stakePubkey, authorizedPubkey, votePubkey: new PublicKey(validators.current) }),
    )
    expect(await inState(id, 'activating')).toMatchObject({ status: 'active', unstakedAt: null, withdrawableAt: null })
    expect((await withdraw<Refusal>(payer, id)).body.error).toBe('stake_not_unstaking')
    expect((await unstake(payer, id)).status).toBe(200)
    await inState(id, 'inactive')
    await withdraw(payer, id)
    await withdrawn(id)
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })

  test('that its owner withdraws with another tool is withdrawn once its account is missing for an hour', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '1')
    await deactivate(payer, id)
    await inState(id, 'inactive')
    await byOwner(payer, id, (stakePubkey, owner) =>
      StakeProgram.withdraw({ stakePubkey, authorizedPubkey: owner, toPubkey: owner, lamports: Number(sol + rent) }),
    )
    expect(await withdraw<Refusal>(payer, id)).toMatchObject({ status: 409, body: { error: 'stake_not_on_chain' } })
    await waitFor('a look at the chain', () =>
      stack.db.query('select 1 from stakes where id = $1 and missing_since is not null', [id]).then(([row]) => row),
    )
    expect((await stakeOf(stack, id)).status).toBe('unstaking')
    await stack.db.query("update stakes set missing_since = now() - interval '1 hour', next_at = now() where id = $1", [id])
    expect(await withdrawn(id)).toMatchObject({ reason: null, chainState: null })
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })
})

/** As the owner's own tools do. */
async function byOwner(payer: Payer, id: string, callsOf: (stake: PublicKey, owner: PublicKey) => Transaction): Promise<void> {
  const owner = new PublicKey(payer.address)
  const stake = await PublicKey.createWithSeed(owner, id.replaceAll('-', ''), StakeProgram.programId)
  const purse = { rpcUrl: stack.other(chain).rpcUrl, faucetPrivateKey: payer.privateKey }
  await send(purse, callsOf(stake, owner).instructions)
  await stack.mine(1, chain)
  await lookAgain(stack)
}

const deactivate = (payer: Payer, id: string): Promise<void> =>
  byOwner(payer, id, (stakePubkey, authorizedPubkey) => StakeProgram.deactivate({ stakePubkey, authorizedPubkey }))

/** Nodes accept transactions and drop them; blocks follow, after which all of them have expired. */
async function dropped<T>(work: () => Promise<T>, blocks = 160): Promise<T> {
  gate.instead = async ({ name, params }) =>
    name === 'sendTransaction' ? base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65)) : null
  try {
    const result = await work()
    if (blocks === 0) return result
    await stack.mine(blocks, chain)
    // No worker sends it again before it knows.
    await waitFor('its expiry', async () => {
      const open = await stack.db.query("select 1 from intents where status in ('signed', 'broadcast', 'unknown')")
      return open.length === 0
    })
    return result
  } finally {
    gate.instead = passAll
  }
}

describe('a transaction that no block has', () => {
  test('of a stake: it is withdrawn with the reason, and nothing left the wallet', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const { body } = await dropped(() => sendStaking(stack, 'stake', payer, request('1')))
    expect(await withdrawn(body.id)).toMatchObject({ reason: 'expired', transactionStatus: 'expired', confirmedAt: null, rewards: '0' })
    expect(await lamportsOf(stack, payer.address)).toBe(before)
    expect((await unstake<Refusal>(payer, body.id)).body.error).toBe('stake_not_active')
    expect(await eventsOf(body.id)).toEqual(['stake.withdrawn'])
  })

  test('of an unstaking and of a withdrawal: the stake is as before, and both can be repeated', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '5')
    const part = await dropped(() => unstake(payer, id, { amountToUnstake: '2' }))
    const restId = part.body.remainingStakeId ?? ''
    expect(await is(id, ({ status }) => status === 'active')).toMatchObject({ amount: '5', penalty: null, unstakedAt: null, withdrawableAt: null })
    expect(await stakeOf(stack, restId)).toMatchObject({ status: 'withdrawn', reason: 'expired', amount: '3', confirmedAt: null })
    expect((await unstake<Refusal>(payer, restId)).body.error).toBe('stake_not_active')
    const second = await unstake(payer, id, { amountToUnstake: '2' })
    expect(second.body).toMatchObject({ unstakedAmount: '2', remainingStakeId: expect.not.stringMatching(restId) })
    await inState(id, 'inactive')
    expect((await dropped(() => withdraw(payer, id))).status).toBe(200)
    await waitFor('a withdrawal', async () => {
      await stack.mine(1, chain)
      const { status } = await withdraw<Refusal>(payer, id)
      return status === 200
    })
    await withdrawn(id)
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })
})

describe('a fork', () => {
  /** Mines what a node has, until it is confirmed, and no deeper. */
  async function confirmedNotFinal(id: string, isSo: (stake: StakeBody) => boolean): Promise<StakeBody> {
    await stack.mine(2, chain)
    return waitFor('its confirmation', async () => {
      const stake = await stakeOf(stack, id)
      return isSo(stake) ? stake : null
    })
  }
  const takeBack = () => stack.other(chain).control('reorg', { depth: 2 })

  test('takes a stake back: it is not confirmed until a block has it again, and is staked once', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const { body } = await sendStaking(stack, 'stake', payer, request('2'))
    await confirmedNotFinal(body.id, ({ confirmedAt }) => confirmedAt !== null)
    await dropped(async () => {
      await takeBack()
      await stack.mine(3, chain)
      await waitFor('the fork', async () => (await stakeOf(stack, body.id)).confirmedAt === null)
      expect(await stakeOf(stack, body.id)).toMatchObject({ status: 'active', chainState: null })
      expect((await unstake<Refusal>(payer, body.id)).body.error).toBe('stake_not_confirmed')
    }, 0)
    await inState(body.id, 'activating')
    expect(await lamportsOf(stack, payer.address)).toBe(before - 2n * sol - rent - (await feesOf(stack, payer.address)))
  })

  test('takes a split back, and it expires: the stake is whole again', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    const { body } = await unstake(payer, id, { amountToUnstake: '1' })
    const restId = body.remainingStakeId ?? ''
    await confirmedNotFinal(restId, ({ confirmedAt }) => confirmedAt !== null)
    await dropped(takeBack)
    expect(await is(id, ({ status }) => status === 'active')).toMatchObject({ amount: '3', penalty: null })
    expect(await stakeOf(stack, restId)).toMatchObject({ status: 'withdrawn', reason: 'expired', confirmedAt: null })
    await unstake(payer, id)
    await inState(id, 'inactive')
    expect((await withdraw(payer, id)).body).toMatchObject({ amount: '3' })
    await withdrawn(id)
  })
})

describe('what changes while the chain is asked', () => {
  /** Runs this once, before a node answers the method for the first time. */
  function meanwhile(method: string, change: () => Promise<unknown>): void {
    let isDone = false
    gate.instead = async ({ name }) => {
      if (name !== method || isDone) return null
      isDone = true
      await change()
      return null
    }
  }
  const endNow = "status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0"
  const intentsOf = (address: string) => stack.db.query('select 1 from intents where from_address = $1', [address])
  afterEach(() => {
    gate.instead = passAll
  })

  test('stops a stake whose plan has stopped, and what is unstaked or withdrawn already: nothing is signed', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    const other = await nativePlan(stack)
    const refused = async (sql: string, of: string, send: () => Promise<{ status: number; body: unknown }>) => {
      meanwhile('simulateTransaction', () => stack.db.query(`update ${sql} where id = $1`, [of]))
      const { status, body } = await send()
      gate.instead = passAll
      return [status, (body as Refusal).error]
    }
    expect(
      await refused('staking_plans set stopped_at = now()', other, () => sendStaking(stack, 'stake', payer, { ...request('1'), planId: other })),
    ).toEqual([409, 'plan_stopped'])
    const dearer = await nativePlan(stack)
    const stakeDearer = () => sendStaking(stack, 'stake', payer, { ...request('1'), planId: dearer })
    expect(await refused('staking_plans set min_amount = 2000000000', dearer, stakeDearer)).toEqual([422, 'stake_below_minimum'])
    expect(await refused('stakes set amount = 2000000000', id, () => unstake(payer, id, { amountToUnstake: '1' }))).toEqual([409, 'stake_not_active'])
    await stack.db.query('update stakes set amount = 3000000000 where id = $1', [id])
    expect(await refused(`stakes set ${endNow}`, id, () => unstake(payer, id))).toEqual([409, 'stake_not_active'])
    await deactivate(payer, id)
    await inState(id, 'inactive')
    expect(await refused('stakes set withdraw_requested_at = now()', id, () => withdraw(payer, id))).toEqual([409, 'withdrawal_requested'])
    expect(await intentsOf(payer.address)).toHaveLength(1)
  })

  test('makes an answer of the chain void: a request that was stored meanwhile stays', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    let release = () => {}
    const stored = new Promise<void>((resolve) => {
      release = resolve
    })
    const look = new Promise<void>((resolve) => {
      let isFirst = true
      gate.instead = async ({ name, params, pass }) => {
        if (name === 'sendTransaction') return base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65))
        if (name !== 'getMultipleAccounts' || !isFirst) return null
        isFirst = false
        const { result } = (await pass()) as { result: object }
        resolve()
        await stored
        return result
      }
    })
    await stack.db.query('update stakes set next_at = now() where id = $1', [id])
    await look
    expect((await unstake(payer, id, { amountToUnstake: '1' })).status).toBe(200)
    release()
    await waitFor('the end of the look', async () => {
      const [row] = await stack.db.query<{ isOver: boolean }>(
        `select coalesce(next_at > now() + interval '1 minute', true) as "isOver" from stakes where id = $1`,
        [id],
      )
      return row?.isOver
    })
    expect(await stakeOf(stack, id)).toMatchObject({ status: 'unstaking', amount: '1', rewards: '0', penalty: '0' })
    gate.instead = passAll
    await inState(id, 'inactive')
  })
})

test('splits at random, over epochs with rewards: no lamport is lost or made', async () => {
  const payer = await solStaker(stack)
  const before = await lamportsOf(stack, payer.address)
  const { id } = await staked(payer, '9')
  await endEpoch(stack)
  const ended: string[] = []
  let current = id
  for (const _ of Array(3)) {
    await inState(current, 'active')
    await endEpoch(stack, { rewardPerSol: randomInt(1, 5_000_000) })
    const { body } = await unstake(payer, current, { amountToUnstake: `1.${String(randomInt(0, 10 ** 9)).padStart(9, '0')}` })
    ended.push(current)
    await inState(current, 'deactivating')
    current = body.remainingStakeId ?? ''
  }
  await inState(current, 'active')
  await unstake(payer, current)
  ended.push(current)
  await inState(current, 'deactivating')
  await endEpoch(stack, { rewardPerSol: randomInt(1, 5_000_000) })
  let [amounts, rewards] = [0n, 0n]
  for (const each of ended) {
    await inState(each, 'inactive')
    await withdraw(payer, each)
    const done = await withdrawn(each)
    amounts += parseUnits(done.amount, 9) ?? 0n
    rewards += parseUnits(done.rewards, 9) ?? 0n
  }
  expect(amounts).toBe(9n * sol)
  expect(rewards).toBeGreaterThan(0n)
  expect(await lamportsOf(stack, payer.address)).toBe(before + rewards - (await feesOf(stack, payer.address)))
})

describe('is refused by name', () => {
  const refusal = async (answer: Promise<{ status: number; body: Refusal }>) => {
    const { status, body } = await answer
    return [status, body.error, body.fields?.[0]?.field]
  }
  const stake = (more: object) => refusal(sendStaking<Refusal>(stack, 'stake', newPayer(chain), { ...request(), ...more }))
  const invalid = (field: string) => [400, 'Invalid request body', field]

  test('a stake without a validator, or with one that is none, unknown or delinquent; and one outside of the plan', async () => {
    expect(await stake({ validator: undefined })).toEqual(invalid('validator'))
    expect(await stake({ validator: 'x' })).toEqual(invalid('validator'))
    expect(await stake({ validator: newPayer(chain).address })).toEqual([422, 'validator_unknown', 'validator'])
    expect(await stake({ validator: validators.delinquent })).toEqual([422, 'validator_delinquent', 'validator'])
    expect(await stake({ amount: '0.999999999' })).toEqual([422, 'stake_below_minimum', 'amount'])
    expect(await stake({ amount: '1000.000000001' })).toEqual([422, 'stake_above_maximum', 'amount'])
    expect(await stake({ amount: '1.0000000001' })).toEqual(invalid('amount'))
    expect(await stake({ validators: 'x' })).toEqual(invalid('validators'))
    expect((await stake({}))[1]).toMatch(/^insufficient_/)
    const low = await nativePlan(stack)
    await stack.db.query('update staking_plans set min_amount = 1 where id = $1', [low])
    expect(await stake({ planId: low, amount: '0.5' })).toEqual([422, 'stake_below_minimum', 'amount'])
    await stack.db.query('update staking_plans set stopped_at = now() where id = $1', [low])
    expect(await stake({ planId: low })).toEqual([409, 'plan_stopped', undefined])
  })

  test('a wrong key, a stranger, parts below the minimum, more than there is, and a withdrawal of what is not unstaked', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    const part = (amountToUnstake: string) => refusal(unstake<Refusal>(payer, id, { amountToUnstake }))
    expect(await part('0.999999999')).toEqual([422, 'part_below_minimum', 'amountToUnstake'])
    expect(await part('2.000000001')).toEqual([422, 'rest_below_minimum', 'amountToUnstake'])
    expect(await part('3.000000001')).toEqual([422, 'more_than_staked', 'amountToUnstake'])
    expect(await part('1.0000000001')).toEqual(invalid('amountToUnstake'))
    const stranger = newPayer(chain)
    expect(await refusal(unstake<Refusal>(stranger, id))).toEqual([422, 'wrong_staking_key', 'fromPrivateKey'])
    expect(await refusal(withdraw<Refusal>(payer, id))).toEqual([409, 'stake_not_unstaking', undefined])
    await stack.other(chain).control('distribution', { on: true })
    expect(await refusal(unstake<Refusal>(payer, id))).toEqual([503, 'unavailable', undefined])
    await stack.other(chain).control('distribution', { on: false })
    expect((await unstake(payer, id)).status).toBe(200)
    await inState(id, 'inactive')
    expect(await refusal(withdraw<Refusal>(stranger, id))).toEqual([422, 'wrong_staking_key', 'fromPrivateKey'])
    expect(await refusal(withdraw<Refusal>(payer, id, { fromPrivateKey: undefined }))).toEqual(invalid('fromPrivateKey'))
    const other = await otherBusinessHeaders(stack)
    const body = { stakeId: id, chain, fromPrivateKey: payer.privateKey }
    for (const operation of ['unstake', 'withdraw']) expect((await stack.api('POST', `/staking/${operation}`, body, other)).status).toBe(404)
    expect((await withdraw(payer, id)).status).toBe(200)
    await withdrawn(id)
  })
})

test('the key is in no row, log or event, also of refused requests', async () => {
  const payer = await solStaker(stack)
  const { id } = await staked(payer, '1')
  const errors = [
    await unstake(payer, id, { amountToUnstake: '9' }),
    await unstake(payer, payer.privateKey),
    await unstake(payer, id, { [payer.privateKey]: payer.privateKey }),
    await sendStaking(stack, 'stake', payer, { ...request('1'), validator: payer.privateKey }),
    await withdraw(payer, id, { chain: payer.privateKey }),
  ]
  await unstake(payer, id)
  await inState(id, 'inactive')
  await withdraw(payer, id)
  await withdrawn(id)
  await stack.idle()
  const forms = [
    payer.privateKey,
    Buffer.from(base58.decode(payer.privateKey)).toString('hex'),
    Buffer.from(base58.decode(payer.privateKey)).toString('base64'),
  ]
  const isIn = (text: string) => forms.some((form) => text.includes(form))
  expect(errors.map(({ status }) => status >= 400)).toEqual(errors.map(() => true))
  const tables = await stack.db.query<{ name: string }>("select table_name as name from information_schema.tables where table_schema = 'public'")
  for (const { name } of tables) {
    const rows = await stack.db.query<{ row: string }>(`select t::text as row from "${name}" t`)
    expect([name, rows.some(({ row }) => isIn(row))]).toEqual([name, false])
  }
  expect([JSON.stringify(errors), stack.logs(), JSON.stringify(stack.receiver.received)].map(isIn)).toEqual([false, false, false])
  expect(isIn(JSON.stringify({ key: payer.privateKey }))).toBe(true)
})
