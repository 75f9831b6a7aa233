import { expect, test } from '@jest/globals'
import { PublicKey, StakeProgram } from '@solana/web3.js'
import { Redis } from 'ioredis'
import { endEpoch, feesOf, lamportsOf, sendStaking, sol, solStaker } from '../../support/nativeStaking.ts'
import { stakeOf } from '../../support/staking.ts'
import { waitFor } from '../../support/waitFor.ts'
import {
  byOwner,
  deactivate,
  eventsOf,
  inState,
  is,
  type Refusal,
  rent,
  request,
  stack,
  staked,
  unstake,
  validators,
  withdraw,
  withdrawn,
} from './world.ts'

export function course(): void {
  test('warms up, is split, cools down and comes back: with its rent and rewards, to the lamport', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const made = await sendStaking(stack, 'stake', payer, request(), 'native-once')
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        type: 'native',
        token: 'SOL',
        amount: '5',
        status: 'active',
        rewards: '0',
        rent: '0.00228288',
        chainState: null,
      }),
    ])
    expect(made.body).toMatchObject({
      validator: validators.current,
      lockedUntil: made.body.createdAt,
      fromAddress: payer.address,
    })
    const again = await sendStaking(stack, 'stake', payer, request(), 'native-once')
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([made.body.id, 'true'])
    const { id } = made.body
    expect((await unstake<Refusal>(payer, id)).body.error).toBe('stake_not_confirmed')

    const warming = await inState(id, 'activating')
    expect(warming).toMatchObject({ transactionStatus: 'confirmed', rewards: '0', withdrawableAt: null })
    expect(await lamportsOf(stack, payer.address)).toBe(
      before - 5n * sol - rent - (await feesOf(stack, payer.address)),
    )
    await endEpoch(stack)
    await inState(id, 'active')
    await endEpoch(stack, { rewardPerSol: 1_000_000 })
    expect((await is(id, ({ rewards }) => rewards !== '0')).rewards).toBe('0.005')

    const part = await unstake(payer, id, { amountToUnstake: '2' })
    expect([part.status, part.body]).toEqual([
      200,
      expect.objectContaining({
        id,
        status: 'unstaking',
        unstakedAmount: '2',
        penalty: '0',
        netAmount: '2',
        rewards: '0',
      }),
    ])
    expect(new Date(part.body.withdrawableAt).getTime()).toBeGreaterThan(Date.now() + 40 * 3_600_000)
    const restId = part.body.remainingStakeId ?? ''
    expect(await stakeOf(stack, restId)).toMatchObject({
      status: 'active',
      amount: '3',
      rewards: '0.005',
      confirmedAt: null,
      rent: '0.00228288',
    })
    expect((await unstake<Refusal>(payer, restId)).body.error).toBe('stake_not_confirmed')
    expect((await withdraw<Refusal>(payer, id)).body.error).toBe('unstaking_pending')
    const cooling = await inState(id, 'deactivating')
    expect(cooling).toMatchObject({ status: 'unstaking', amount: '2', rewards: '0', penalty: '0' })
    const rest = await inState(restId, 'active')
    expect(rest).toMatchObject({
      amount: '3',
      rewards: '0.005',
      createdAt: made.body.createdAt,
      confirmedAt: warming.confirmedAt,
    })

    const early = await withdraw<Refusal>(payer, id)
    expect([early.status, early.body.error]).toEqual([409, 'stake_cooling_down'])
    expect(early.body.message).toContain(String(cooling.withdrawableAt).slice(0, 10))
    await endEpoch(stack, { rewardPerSol: 1000 })
    expect(await inState(id, 'inactive')).toMatchObject({ rewards: '0.000002' })
    const paid = await withdraw(payer, id)
    expect([paid.status, paid.body]).toEqual([
      200,
      expect.objectContaining({ id, status: 'unstaking', amount: '2', rewards: '0.000002' }),
    ])
    expect(await withdrawn(id)).toMatchObject({
      amount: '2',
      rewards: '0.000002',
      netAmount: '2',
      rewardsPending: false,
      reason: null,
    })

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
    expect(await lamportsOf(stack, payer.address)).toBe(
      before + earned - (await feesOf(stack, payer.address)),
    )
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
    expect(await eventsOf(restId)).toEqual(['stake.unstaking', 'stake.withdrawn'])
    expect(await stack.db.query("select 1 from ledger_entries where cause_kind like 'stake%'")).toEqual([])
  })

  test('is unstaked once and withdrawn once, at any number of requests at once', async () => {
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
    expect(await lamportsOf(stack, payer.address)).toBe(
      before + 2n * sol + rent - ((await feesOf(stack, payer.address)) - fees),
    )
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
      expect(await lamportsOf(stack, payer.address)).toBe(
        before - 2n * sol - rent - (await feesOf(stack, payer.address)),
      )
      expect(
        await stack.db.query('select 1 from intents where from_address = $1', [payer.address]),
      ).toHaveLength(3)
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
    expect(await inState(id, 'activating')).toMatchObject({
      status: 'active',
      unstakedAt: null,
      withdrawableAt: null,
    })
    expect((await withdraw<Refusal>(payer, id)).body.error).toBe('stake_not_unstaking')
    expect((await unstake(payer, id)).status).toBe(200)
    await inState(id, 'inactive')
    await withdraw(payer, id)
    await withdrawn(id)
    expect(await eventsOf(id)).toEqual([
      'stake.active',
      'stake.unstaking',
      'stake.active',
      'stake.unstaking',
      'stake.withdrawn',
    ])
  })

  test('that its owner withdraws with another tool is withdrawn once its account is missing for an hour', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '1')
    await deactivate(payer, id)
    await inState(id, 'inactive')
    await byOwner(payer, id, (stakePubkey, owner) =>
      StakeProgram.withdraw({
        stakePubkey,
        authorizedPubkey: owner,
        toPubkey: owner,
        lamports: Number(sol + rent),
      }),
    )
    expect(await withdraw<Refusal>(payer, id)).toMatchObject({
      status: 409,
      body: { error: 'stake_not_on_chain' },
    })
    await waitFor('a check of the chain', () =>
      stack.db
        .query('select 1 from stakes where id = $1 and missing_since is not null', [id])
        .then(([row]) => row),
    )
    expect((await stakeOf(stack, id)).status).toBe('unstaking')
    await stack.db.query(
      "update stakes set missing_since = now() - interval '1 hour', next_at = now() where id = $1",
      [id],
    )
    expect(await withdrawn(id)).toMatchObject({ reason: null, chainState: null })
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })
}
