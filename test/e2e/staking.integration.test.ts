import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PlatformAccountName } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { parseUnits } from '../../src/money/amount.ts'
import { rpc } from '../devnets/evm.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import { heldOn } from '../support/chainBooks.ts'
import { fund, newPayer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { endStake, makePlan, makeStake } from '../support/stakeRow.ts'
import {
  fundStaking,
  newStaker,
  planOn,
  type StakeBody,
  stakeIs,
  stakeOf,
  stakeOn,
  stakingAddressOf,
  unstakeOn,
  withdrawOn,
} from '../support/staking.ts'
import { badStakes, badUnstakes, badWithdrawals, type RefusalWorld } from '../support/stakingRefusals.ts'
import { waitFor } from '../support/waitFor.ts'

/** Stakes of pooled plans on Ethereum: from the request to the payment, on chain and in the books. */

const chain = 'ethereum'
const asset = 'ethereum:USDC'
const one = 1_000_000n
let stack: Stack
let address: string
beforeAll(async () => {
  // No indexer: the worker reads the blocks of stakes.
  stack = await createStack({
    chains: [chain],
    processes: ['treasury', 'api', 'worker'],
    env: { RPC_TIMEOUT_MS: '10000' },
  })
  // The API loads a chain's reader with the first request that needs it.
  const balance = () =>
    stack.api('POST', '/crypto/wallets/balance', { chain, address: newPayer(chain).address })
  await waitFor('the chain is read', async () => (await balance()).status === 200)
  address = await fundStaking(stack, chain, 'evm', { token: 'USDC', units: '500', base: 500n * one })
}, 120_000)
afterAll(() => stack?.close())

const books = (name: PlatformAccountName | 'stakes') =>
  name === 'stakes'
    ? balanceOf(stack.db, { name, businessId: stack.businessId, asset })
    : balanceOf(stack.db, { name, businessId: null, asset })
const units = (text: string | null) => parseUnits(text ?? '', 6) ?? 0n
const active = (stake: StakeBody) => stake.confirmedAt !== null

test('plans are listed by chain, with exact limits', async () => {
  const id = await planOn(stack, chain, {
    apy: '5.5',
    lockDays: 30,
    penaltyPercent: '2.25',
    minAmount: 100n * one,
    maxAmount: 5000n * one,
  })
  const { status, body } = await stack.api<{ plans: object[] }>('GET', `/staking/plans?chain=${chain}`)
  expect([status, body.plans]).toEqual([
    200,
    [
      {
        id,
        name: 'A plan',
        description: 'For tests',
        type: 'pooled',
        chain,
        token: 'USDC',
        apy: 5.5,
        lockDays: 30,
        penaltyPercent: 2.25,
        minAmount: '100',
        maxAmount: '5000',
        isActive: true,
      },
    ],
  ])
  expect((await stack.api<{ plans: object[] }>('GET', '/staking/plans?chain=solana')).body.plans).toEqual([])
})

describe('a stake', () => {
  test('earns from its block on; a part comes back early with a penalty, the rest later with its rewards, exact to the unit', async () => {
    const payer = await newStaker(stack, chain)
    const plan = await planOn(stack, chain)
    const before = {
      held: await heldOn(stack, chain, 'usdc', address),
      place: await books('staking:ethereum'),
      rewards: await books('rewards'),
    }
    const made = await stakeOn(stack, payer, plan, {}, 'stake-once')
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      planId: plan,
      chain,
      amount: '100',
      status: 'active',
      rewards: '0',
      confirmedAt: null,
      reason: null,
    })
    expect(new Date(made.body.lockedUntil).getTime() - new Date(made.body.createdAt).getTime()).toBe(
      30 * 86_400_000,
    )
    const again = await stakeOn(stack, payer, plan, {}, 'stake-once')
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([made.body.id, 'true'])
    const early = await unstakeOn<{ error: string }>(stack, payer, made.body.id)
    expect([early.status, early.body.error]).toEqual([409, 'stake_not_confirmed'])

    const confirmed = await stakeIs(stack, chain, made.body.id, active)
    const receipt = await stack.client().getTransactionReceipt({ hash: confirmed.txHash as `0x${string}` })
    const { timestamp } = await stack.client().getBlock({ blockNumber: receipt.blockNumber })
    expect(new Date(confirmed.confirmedAt ?? '').getTime()).toBe(Number(timestamp) * 1000)
    expect([await books('staking:ethereum'), await books('stakes')]).toEqual([
      before.place + 100n * one,
      100n * one,
    ])
    // A year before: it has earned 5.5 %.
    const year = 365 * 86_400_000
    await stack.db.query(
      "update stakes set confirmed_at = confirmed_at - interval '365 days' where id = $1",
      [confirmed.id],
    )

    const part = await unstakeOn(stack, payer, confirmed.id, { amountToUnstake: '40' })
    expect([part.status, part.body]).toEqual([
      200,
      expect.objectContaining({ id: confirmed.id, unstakedAmount: '40', penalty: '0.8', netAmount: '39.2' }),
    ])
    const rest = part.body.remainingStakeId ?? ''
    const left = await stakeOf(stack, confirmed.id)
    const elapsed = BigInt(
      new Date(left.unstakedAt ?? '').getTime() - new Date(left.confirmedAt ?? '').getTime(),
    )
    expect(elapsed).toBeGreaterThanOrEqual(BigInt(year))
    expect(units(part.body.rewards)).toBe((40n * one * 55n * elapsed) / (1000n * BigInt(year)))
    expect(await stakeOf(stack, rest)).toMatchObject({
      status: 'active',
      amount: '60',
      createdAt: confirmed.createdAt,
      lockedUntil: confirmed.lockedUntil,
    })
    expect(await books('stakes')).toBe(100n * one - 800_000n + units(part.body.rewards))

    const last = await unstakeOn(stack, payer, rest)
    expect(last.body).toMatchObject({
      id: rest,
      unstakedAmount: '60',
      penalty: '1.2',
      netAmount: '58.8',
      remainingStakeId: null,
    })
    expect(await books('stakes')).toBe(98n * one + units(part.body.rewards) + units(last.body.rewards))
    expect(await books('rewards')).toBe(before.rewards - units(part.body.rewards) - units(last.body.rewards))
    expect([await books('penalties'), await heldOn(stack, chain, 'usdc', address)]).toEqual([
      2n * one,
      before.held + 100n * one,
    ])
  })

  test('is paid back once to the address that staked', async () => {
    const payer = await newStaker(stack, chain)
    const plan = await planOn(stack, chain, { lockDays: 0 })
    const { body } = await stakeOn(stack, payer, plan)
    await stakeIs(stack, chain, body.id, active)
    const ended = await unstakeOn(stack, payer, body.id)
    const [held, stakes, place] = [
      await heldOn(stack, chain, 'usdc', payer.address),
      await books('stakes'),
      await books('staking:ethereum'),
    ]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withdrawOn<{ error?: string }>(stack, chain, body.id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      answers.filter((each) => each.status === 409 && each.body.error === 'withdrawal_requested'),
    ).toHaveLength(9)
    const done = await stakeIs(stack, chain, body.id, ({ status }) => status === 'withdrawn')
    const paid = 100n * one + units(ended.body.rewards)
    expect(done).toMatchObject({
      rewardsPending: false,
      reason: null,
      netAmount: '100',
      rewards: ended.body.rewards,
    })
    expect(await heldOn(stack, chain, 'usdc', payer.address)).toBe(held + paid)
    expect([await books('stakes'), await books('staking:ethereum')]).toEqual([stakes - paid, place - paid])
    expect(await stack.db.query('select 1 from stake_payments where stake_id = $1', [body.id])).toHaveLength(
      1,
    )
    await stack.idle()
    const events = await stack.db.query<{ type: string }>(
      "select type from events where data->>'id' = $1 order by sequence",
      [body.id],
    )
    expect(events.map(({ type }) => type)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })

  test('without money for its rewards is paid without them; they follow once they are funded', async () => {
    const payer = newPayer(chain)
    await fund(stack, payer, { native: '1', USDT: '1000' })
    const plan = await planOn(stack, chain, { token: 'USDT', lockDays: 0, apy: '1000000' })
    const { body } = await stakeOn(stack, payer, plan)
    await stakeIs(stack, chain, body.id, active)
    const earned = await stakeIs(stack, chain, body.id, ({ rewards }) => rewards !== '0')
    const ended = await unstakeOn(stack, payer, earned.id)
    expect(ended.body).toMatchObject({ netAmount: '100', rewards: expect.stringMatching(/[1-9]/) })
    await withdrawOn(stack, chain, body.id)
    const paid = await stakeIs(stack, chain, body.id, ({ status }) => status === 'withdrawn')
    expect([paid.rewardsPending, await heldOn(stack, chain, 'usdt', payer.address)]).toEqual([
      true,
      1000n * one,
    ])
    expect(paid.withdrawalTxHashes).toHaveLength(1)
    await fundStaking(stack, chain, 'evm', { token: 'USDT', units: '100', base: 100n * one })
    await stack.db.query('update stakes set next_at = now() where id = $1', [body.id])
    const done = await stakeIs(stack, chain, body.id, ({ rewardsPending }) => !rewardsPending)
    expect(done).toMatchObject({ status: 'withdrawn', rewards: ended.body.rewards })
    const all = 1000n * one + units(ended.body.rewards)
    await waitFor('the rewards', async () => {
      await stack.mine(1)
      return (await heldOn(stack, chain, 'usdt', payer.address)) === all
    })
    const { withdrawalTxHashes } = await stakeOf(stack, body.id)
    expect(withdrawalTxHashes).toHaveLength(2)
    for (const hash of withdrawalTxHashes)
      expect(
        await rpc(stack.devnets.get(chain)?.rpcUrl ?? '', 'eth_getTransactionByHash', [hash]),
      ).toMatchObject({
        input: expect.stringContaining(payer.address.slice(2).toLowerCase()),
      })
  })
})

describe('nothing is staked', () => {
  /** Stakes in each state, as rows. */
  async function refusalWorld(): Promise<RefusalWorld> {
    const [payer, coinless] = [newPayer(chain), newPayer(chain)]
    await fund(stack, payer, { native: '1', USDC: '50' })
    await fund(stack, coinless, { USDC: '100' })
    const plan = await planOn(stack, chain, { minAmount: 10n * one, maxAmount: 1000n * one })
    const stopped = await planOn(stack, chain)
    await stack.db.query('update staking_plans set stopped_at = now() where id = $1', [stopped])
    const elsewhere = await makePlan(stack.db, { chain: 'base', token: 'USDC' })
    const token = { contract: `0x${'1'.repeat(40)}`, symbol: 'USDC', decimals: 6 }
    const row = {
      planId: plan,
      businessId: stack.businessId,
      from: payer.address.toLowerCase(),
      amount: 100n * one,
      token,
      apy: '0',
    }
    const [unstaked, requested, withdrawn] = [
      await makeStake(stack.db, row),
      await makeStake(stack.db, row),
      await makeStake(stack.db, row),
    ]
    const away = {
      active: await makeStake(stack.db, { ...row, chain: 'base' }),
      unstaked: await makeStake(stack.db, { ...row, chain: 'base' }),
    }
    for (const id of [unstaked, requested, withdrawn, away.unstaked]) await endStake(stack.db, id, {})
    await stack.db.query('update stakes set withdraw_requested_at = now() where id = $1', [requested])
    await stack.db.query(
      "update stakes set status = 'withdrawn', withdrawn_at = now(), withdraw_requested_at = now() where id = $1",
      [withdrawn],
    )
    const unconfirmed = await makeStake(stack.db, { ...row, confirmedAt: null })
    return {
      payer,
      coinless,
      plan,
      stopped,
      elsewhere,
      active: await makeStake(stack.db, row),
      unconfirmed,
      unstaked,
      requested,
      withdrawn,
      away,
    }
  }
  const stateOf = () =>
    stack.db.query(`select (select count(*) from stakes) as stakes, (select count(*) from intents) as intents,
      (select count(*) from stakes where status = 'active') as active, (select count(*) from stakes where withdraw_requested_at is null) as kept`)

  test('by a bad request: each is refused by name, and changes nothing', async () => {
    const world = await refusalWorld()
    const { payer, plan, active: stakeId } = world
    const key = { chain, fromPrivateKey: payer.privateKey }
    const other = await otherBusinessHeaders(stack)
    const before = await stateOf()
    const requests = [
      { path: 'stake', good: { ...key, planId: plan, amount: '100' }, refusals: badStakes(world) },
      { path: 'unstake', good: { ...key, stakeId }, refusals: badUnstakes(world) },
      { path: 'withdraw', good: { chain, stakeId: world.unstaked }, refusals: badWithdrawals(world) },
    ]
    const [answers, wanted]: [unknown[], unknown[]] = [[], []]
    for (const { path, good, refusals } of requests)
      for (const [what, more, [code, error, field]] of refusals) {
        const { status, body } = await stack.api<{ error: string; fields?: { field: string }[] }>(
          'POST',
          `/staking/${path}`,
          { ...good, ...more },
        )
        answers.push([path, what, status, body.error, body.fields?.[0]?.field])
        wanted.push([path, what, code, error, field])
      }
    expect(answers).toEqual(wanted)
    const strangers = await Promise.all([
      stack.api('POST', '/staking/unstake', { ...key, stakeId }, other),
      stack.api('POST', '/staking/withdraw', { chain, stakeId: world.unstaked }, other),
      stack.api('GET', `/staking/stakes/${stakeId}`, undefined, other),
    ])
    expect(strangers.map(({ status }) => status)).toEqual([404, 404, 404])
    for (const query of [
      'status=sold',
      'chain=etherium',
      'limit=101',
      'limit=0',
      'page=0',
      'cursor=x',
      'sort=amount',
      'state=active',
    ])
      expect([query, (await stack.api('GET', `/staking/stakes?${query}`)).status]).toEqual([query, 400])
    expect(await stateOf()).toEqual(before)
  })

  test('by a transaction that fails: the stake is withdrawn with its reason', async () => {
    const payer = await newStaker(stack, chain)
    const plan = await planOn(stack, chain)
    const { body } = await stakeOn(stack, payer, plan, { amount: '900' })
    await stack.db.query(
      "update intents set status = 'failed', reason = 'reverted', next_reconcile_at = null where id = $1",
      [body.id],
    )
    await stack.db.query('update stakes set next_at = now() where id = $1', [body.id])
    const ended = await waitFor('its end', async () => {
      const stake = await stakeOf(stack, body.id)
      return stake.status === 'withdrawn' ? stake : null
    })
    expect(ended).toMatchObject({ reason: 'reverted', transactionStatus: 'failed', confirmedAt: null })
  })
})

test('the staking address is one of its own', async () => {
  expect(await stakingAddressOf(stack, 'evm')).toBe(address)
  expect(await stack.db.query('select 1 from treasury_addresses where address = $1', [address])).toEqual([])
})

test('nothing is staked while the operator has paused the chain, or for a fee above its limit', async () => {
  const payer = await newStaker(stack, chain)
  const plan = await planOn(stack, chain)
  const refusal = async () => {
    const { status, body } = await stakeOn<{ error: string }>(stack, payer, plan)
    return [status, body.error]
  }
  await stack.db.query("insert into sending_pauses (chain, reason) values ($1, 'a look at it')", [chain])
  expect(await refusal()).toEqual([503, 'outgoing_paused'])
  await stack.db.query('delete from sending_pauses')
  await stack.db.query("insert into fee_limits (chain, ceiling) values ($1, '1')", [chain])
  expect(await refusal()).toEqual([422, 'fee_too_high'])
  await stack.db.query('delete from fee_limits')
  expect(
    await stack.db.query('select 1 from stakes where from_address = lower($1)', [payer.address]),
  ).toEqual([])
})
