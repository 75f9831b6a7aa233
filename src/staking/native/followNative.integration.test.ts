import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  becomes,
  byOwner,
  comeToRest,
  couldBecome,
  db,
  dropNativeWorld,
  eventsOf,
  follow,
  forget,
  held,
  type Status,
  sentOnes,
  split,
  staked,
  stakeNow,
  startNativeWorld,
  stayBehind,
  stepNow,
  store,
} from '../../../test/promises/staking/nativeWorld.ts'
import { howMany } from '../../../test/support/full.ts'
import { newId } from '../../platform/ids.ts'
import { readStakes } from '../storedStake.ts'

beforeAll(startNativeWorld)
afterAll(dropNativeWorld)
afterEach(forget)

describe('the rest of a split', () => {
  test('that failed is withdrawn with the reason and its event; its stake has all again', async () => {
    const id = await staked(10n)
    const restId = newId()
    const move = await split(id, 4n, restId)
    await becomes(move, 'failed')
    await follow()
    expect(await stakeNow(restId)).toMatchObject({
      status: 'withdrawn',
      reason: 'it failed',
      amount: 4n,
      confirmedAt: null,
    })
    expect(await stakeNow(id)).toMatchObject({ status: 'active', amount: 10n, rewards: 0n })
    expect([await eventsOf(id), await eventsOf(restId)]).toEqual([['stake.active'], ['stake.withdrawn']])
  })

  test('has its amount where the stake failed before, and succeeded after all', async () => {
    const id = await staked(10n)
    const restId = newId()
    const move = await split(id, 4n, restId)
    await becomes(move, 'confirmed')
    await follow()
    for (const status of ['unknown', 'expired'] as const) {
      await becomes(id, status)
      await follow()
    }
    expect([(await stakeNow(id)).reason, (await stakeNow(restId)).reason]).toEqual(['expired', 'expired'])
    for (const each of [id, move]) await becomes(each, 'confirmed')
    await follow()
    expect(await stakeNow(id)).toMatchObject({ status: 'unstaking', amount: 6n, rewards: 0n, reason: null })
    expect(await stakeNow(restId)).toMatchObject({ status: 'active', amount: 4n, rewards: 0n, reason: null })
    expect(await eventsOf(restId)).toEqual(['stake.withdrawn', 'stake.active'])
  })

  test('ends with all that was split off it', async () => {
    const id = await staked(10n)
    const [restId, second] = [newId(), newId()]
    const move = await split(id, 6n, restId)
    await becomes(move, 'confirmed')
    await follow()
    await becomes(await split(restId, 2n, second), 'confirmed')
    await follow()
    for (const status of ['unknown', 'expired'] as const) {
      await becomes(move, status)
      await follow()
    }
    expect(await stakeNow(id)).toMatchObject({ status: 'active', amount: 10n })
    expect([await stakeNow(restId), await stakeNow(second)]).toMatchObject([
      { reason: 'expired' },
      { reason: 'expired', status: 'withdrawn' },
    ])
    expect((await eventsOf(second)).at(-1)).toBe('stake.withdrawn')
  })
})

test('an unstaking that was published and is lost to a fork is published as active again', async () => {
  const id = await staked(10n)
  const move = await split(id, 4n)
  for (const status of ['confirmed', 'unknown'] as const) {
    await becomes(move, status)
    await follow()
  }
  expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking'])
  await becomes(move, 'expired')
  await follow()
  await follow()
  expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.active'])
})

describe('a stake that its owner delegates again with another tool', () => {
  test('is active, and can be unstaked again', async () => {
    const id = await staked(10n)
    await becomes(
      await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n }),
      'confirmed',
    )
    await follow()
    expect(await stakeNow(id)).toMatchObject({ status: 'unstaking', chainState: 'inactive' })
    byOwner('delegate', id)
    await follow()
    expect(await stakeNow(id)).toMatchObject({
      status: 'active',
      chainState: 'active',
      unstakedAt: null,
      penalty: null,
    })
    const restId = newId()
    await becomes(await split(id, 3n, restId), 'confirmed')
    await follow()
    expect([await stakeNow(id), await stakeNow(restId)]).toMatchObject([
      { status: 'unstaking', amount: 7n },
      { status: 'active', amount: 3n },
    ])
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.active', 'stake.unstaking'])
  })

  test('is read again soon while the nodes are behind its transaction, and stays as it is', async () => {
    const id = await staked(10n)
    stayBehind()
    await becomes(
      await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n }),
      'confirmed',
    )
    await stepNow(id)
    expect(await stakeNow(id)).toMatchObject({ status: 'unstaking', chainState: 'active' })
    const [row] = await db().query<{ seconds: number }>(
      'select extract(epoch from next_at - now())::float8 as seconds from stakes where id = $1',
      [id],
    )
    expect(row?.seconds).toBeGreaterThan(5)
    expect(row?.seconds).toBeLessThanOrEqual(15)
  })

  test('of a split is that of its rest, too: it is read again soon, not as a missing account', async () => {
    const id = await staked(10n)
    const restId = newId()
    const move = await split(id, 4n, restId)
    stayBehind()
    await becomes(move, 'confirmed')
    await stepNow(id)
    await stepNow(restId)
    const [row] = await db().query<{ missing: Date | null; seconds: number }>(
      'select missing_since as missing, extract(epoch from next_at - now())::float8 as seconds from stakes where id = $1',
      [restId],
    )
    expect(row?.missing).toBeNull()
    expect(row?.seconds).toBeLessThanOrEqual(15)
  })
})

test('a stake whose account is gone for an hour is withdrawn, and stays so', async () => {
  const id = await staked(10n)
  byOwner('close', id)
  await follow()
  expect((await stakeNow(id)).status).toBe('active')
  await db().query("update stakes set missing_since = now() - interval '1 hour' where id = $1", [id])
  for (const _ of Array(2)) {
    await follow()
    expect((await stakeNow(id)).status).toBe('withdrawn')
  }
  expect(await eventsOf(id)).toEqual(['stake.active', 'stake.withdrawn'])
})

test('a stake whose account was missing is not withdrawn while a transaction of it is under way: its account is not read then', async () => {
  const id = await staked(10n)
  byOwner('close', id)
  await follow()
  await db().query("update stakes set missing_since = now() - interval '1 hour' where id = $1", [id])
  await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n })
  await follow()
  expect((await stakeNow(id)).status).toBe('unstaking')
})

test('an unstaking is published when its transaction is confirmed, not before; and before the withdrawal that was seen at the same time', async () => {
  const id = await staked(10n)
  const move = await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n })
  await follow()
  expect([(await stakeNow(id)).status, await eventsOf(id)]).toEqual(['unstaking', ['stake.active']])
  await becomes(move, 'confirmed')
  byOwner('close', id)
  await db().query("update stakes set missing_since = now() - interval '1 hour' where id = $1", [id])
  await follow()
  expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
})

test('the times of an unstaking and of a withdrawal are those of the first read that showed them', async () => {
  const id = await staked(10n)
  const before = new Date('2026-01-01T00:00:00Z')
  await becomes(
    await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n }),
    'confirmed',
  )
  await db().query('update stakes set unstaked_at = $2 where id = $1', [id, before])
  await follow()
  expect((await stakeNow(id)).unstakedAt).toEqual(before)
  byOwner('close', id)
  await follow()
  await db().query("update stakes set missing_since = now() - interval '1 hour' where id = $1", [id])
  await follow()
  await db().query('update stakes set withdrawn_at = $2 where id = $1', [id, before])
  await follow()
  const [row] = await db().query<{ status: string; withdrawnAt: Date }>(
    'select status, withdrawn_at as "withdrawnAt" from stakes where id = $1',
    [id],
  )
  expect(row).toEqual({ status: 'withdrawn', withdrawnAt: before })
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('split' as const), which: fc.nat(50), share: fc.nat(100) }),
  },
  fc.record({
    kind: fc.constant('status' as const),
    which: fc.nat(50),
    status: fc.constantFrom('unknown', 'confirmed', 'failed', 'expired'),
  }),
  fc.record({ kind: fc.constantFrom('delegate' as const, 'deactivate' as const), which: fc.nat(50) }),
  fc.record({ kind: fc.constant('rest' as const) }),
)

async function carryOut(
  each: typeof step extends fc.Arbitrary<infer T> ? T : never,
  rootId: string,
): Promise<void> {
  const parts = await readStakes(db(), 'root_id = $1 order by id', [rootId])
  if (each.kind === 'split') {
    const open = parts.filter(
      ({ status, confirmedAt, reason, amount }) =>
        status === 'active' && confirmedAt !== null && reason === null && amount > 1n,
    )
    const one = open[each.which % open.length]
    if (one) await split(one.id, 1n + (BigInt(each.share) * (one.amount - 2n)) / 100n)
  } else if (each.kind === 'status') {
    const sent = sentOnes()
    const one = sent[each.which % sent.length]
    const status = each.status as Status
    if (one && (one.kind === 'stake' || one.kind === 'unstake') && couldBecome(one.id, status))
      await becomes(one.id, status)
  } else if (each.kind === 'rest') {
    await comeToRest()
  } else {
    const ids = [...held().keys()]
    const id = ids[each.which % ids.length]
    if (id !== undefined) byOwner(each.kind, id)
  }
}

const staking = 1_000_000n

/** The parts that have not ended have all that was staked. */
async function expectWhole(rootId: string): Promise<void> {
  const live = await readStakes(db(), 'root_id = $1 and reason is null', [rootId])
  const isStaked = (await stakeNow(rootId)).reason === null
  expect(live.reduce((sum, { amount }) => sum + amount, 0n)).toBe(isStaked ? staking : 0n)
}

/** Each part is what the chain holds, and its last event is that of its state. */
async function expectAsOnChain(rootId: string): Promise<void> {
  const parts = await readStakes(db(), 'root_id = $1', [rootId])
  const chain = held()
  const amounts = (of: Iterable<[string, { amount: bigint }]>) =>
    new Map([...of].map(([id, { amount }]) => [id, amount]))
  const live = parts.filter(({ reason }) => reason === null)
  expect(amounts(live.map((part) => [part.id, part]))).toEqual(amounts(chain))
  for (const { id, status, rewards } of parts) {
    const account = chain.get(id)
    const known = account?.isDeactivated ? 'unstaking' : 'active'
    expect([status, account ? rewards : null]).toEqual(account ? [known, 0n] : ['withdrawn', null])
    expect((await eventsOf(id)).at(-1) ?? 'stake.active').toBe(`stake.${status}`)
  }
}

test(
  'random trees of splits, with forks and failures: the parts are what the chain holds, and each has the event of its state',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        forget()
        const rootId = await staked(staking)
        for (const each of [...steps, { kind: 'rest' as const }]) {
          await carryOut(each, rootId)
          await follow()
          await expectWhole(rootId)
          if (each.kind === 'rest') await expectAsOnChain(rootId)
        }
      }),
      { numRuns: howMany(6, 500) },
    )
  },
  howMany(300_000, 3_600_000),
)
