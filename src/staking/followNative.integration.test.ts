import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { howMany } from '../../test/support/full.ts'
import { makePlan } from '../../test/support/stakeRow.ts'
import type { StakeAccount, StakeLook } from '../chains/staking.ts'
import { newId } from '../platform/ids.ts'
import { insertIntent } from '../txmgr/intents.ts'
import { nextLook } from './followNative.ts'
import { hasFailed, insertMove, isOpen, type StakeMove } from './stakeMoves.ts'
import { stepStake } from './stepStake.ts'
import { insertStake, readStakes } from './storedStake.ts'

/** Native stakes on a real Postgres, with a chain that the tests write: a plain list of transactions that it carries out in their order. */

const businessId = newId()
const from = `0x${'1'.repeat(40)}`
const rent = 7n
let world: StakingWorld
let planId: string
beforeAll(async () => {
  world = await makeStakingWorld()
  await world.database.db.query("insert into businesses (id, name) values ($1, 'A shop')", [businessId])
  planId = await makePlan(world.database.db, { type: 'native', token: 'ETH' })
  world.ctx.nativeStaking = async () => async (owner) => lookAt(owner.id)
})
afterAll(() => world?.database.drop())

type Status = StakeMove['status']
/** `delegate`: the owner delegates the account again, with another tool. */
interface Sent {
  id: string
  kind: 'stake' | 'unstake' | 'delegate' | 'deactivate'
  stakeId: string
  restId: string | null
  amount: bigint
  status: Status
}
interface Held {
  amount: bigint
  isDeactivated: boolean
}

let sent: Sent[] = []
let slot = 1
/** The nodes answer as of this slot; null: of now. */
let seenSlot: number | null = null
afterEach(() => {
  sent = []
  seenSlot = null
})

/** What the chain holds, by stake. */
function held(): Map<string, Held> {
  const accounts = new Map<string, Held>()
  for (const { kind, stakeId, restId, amount, status } of sent) {
    if (status !== 'confirmed') continue
    if (kind === 'stake') accounts.set(stakeId, { amount, isDeactivated: false })
    const account = accounts.get(stakeId)
    if (!account) continue
    if (kind === 'delegate' || kind === 'deactivate') account.isDeactivated = kind === 'deactivate'
    if (kind !== 'unstake') continue
    account.isDeactivated = true
    if (restId === null) continue
    account.amount -= amount
    accounts.set(restId, { amount, isDeactivated: false })
  }
  return accounts
}

const accountOf = ({ amount, isDeactivated }: Held): StakeAccount => ({
  ...{ account: 'a', lamports: amount + rent, staker: from, withdrawer: from, validator: 'v', delegated: amount, effective: amount },
  ...{ state: isDeactivated ? 'inactive' : 'active', activating: 0n, deactivating: 0n, withdrawableAt: null },
})

function lookAt(id: string): StakeLook {
  const found = held().get(id)
  return { account: found ? accountOf(found) : null, slot: seenSlot ?? slot, epochEndsAt: new Date(Date.now() + 3_600_000), paysRewards: false }
}

const db = () => world.database.db

async function store(purpose: 'native-stake' | 'native-unstake', row: Omit<Sent, 'id' | 'status'>): Promise<string> {
  const action = { kind: 'transfer', from, to: from, token: null, amount: 1n, memo: null, gasPrice: null, gasLimit: null } as const
  const wanted = { businessId, purpose, chain: 'ethereum', signer: 'caller', walletId: null, action, symbol: null, decimals: null } as const
  const id = await db().tx(async (tx) => {
    const intent = await insertIntent(world.ctx, tx, wanted, 3_600_000, null)
    await storeRows(tx, intent.id, row)
    return intent.id
  })
  sent.push({ ...row, id, stakeId: row.kind === 'stake' ? id : row.stakeId, status: 'created' })
  return id
}

async function storeRows(tx: Parameters<typeof insertStake>[0], intentId: string, { kind, stakeId, restId, amount }: Omit<Sent, 'id' | 'status'>) {
  if (kind === 'stake') {
    await insertStake(tx, {
      ...{ id: intentId, businessId, planId, rootId: intentId, type: 'native', chain: 'ethereum', token: 'ETH', contract: null, decimals: 18 },
      ...{ amount, stakedAmount: amount, apy: '5', lockDays: 0, penaltyPercent: '0', from, validator: 'v', createdAt: new Date() },
      ...{ termsProof: null, confirmedAt: null, rent },
    })
    return
  }
  const [stake] = await readStakes(tx, 'id = $1', [stakeId])
  if (!stake) throw new Error('no stake')
  const part = restId === null ? stake.amount : stake.amount - amount
  if (restId !== null) await insertStake(tx, { ...stake, id: restId, amount, confirmedAt: null })
  await insertMove(tx, { intentId, stakeId, kind: 'unstake', restId, restAmount: restId === null ? null : amount, amount: null })
  const set = "status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0, amount = $2"
  await tx.query(`update stakes set ${set} where id = $1`, [stakeId, String(part)])
}

/** As the sending core does: a block has it, or none has it any more. */
async function becomes(id: string, status: Status): Promise<void> {
  slot += 1
  const height = status === 'confirmed' || status === 'failed' ? slot : null
  if (height !== null) world.blocks.set(height, new Date())
  const set = 'status = $2, block_height = $3, reason = $4, next_reconcile_at = null'
  await db().query(`update intents set ${set} where id = $1`, [id, status, height, status === 'failed' ? 'it failed' : null])
  const one = sent.find((each) => each.id === id)
  if (one) one.status = status
}

/** Every stake is due; the worker works until nothing changes any more. */
async function follow(): Promise<void> {
  await db().query('update stakes set next_at = now() where root_id = any($1::uuid[])', [sent.filter(({ kind }) => kind === 'stake').map(({ id }) => id)])
  for (let rounds = 0; rounds < 20; rounds++) {
    const due = await db().query<{ id: string }>('select id from stakes where next_at <= now() order by next_at')
    if (due.length === 0) return
    for (const { id } of due) await stepStake(world.ctx, id)
  }
  throw new Error('it does not come to rest')
}

const stakeNow = async (id: string) => {
  const [stake] = await readStakes(db(), 'id = $1', [id])
  if (!stake) throw new Error('no stake')
  return stake
}
const eventsOf = async (id: string) =>
  (await db().query<{ type: string }>("select type from events where data->>'id' = $1 order by sequence", [id])).map(({ type }) => type)

async function staked(amount: bigint): Promise<string> {
  const id = await store('native-stake', { kind: 'stake', stakeId: '', restId: null, amount })
  await becomes(id, 'confirmed')
  await follow()
  return id
}
const split = (stakeId: string, amount: bigint, restId: string = newId()) => store('native-unstake', { kind: 'unstake', stakeId, restId, amount })
const byOwner = (kind: 'delegate' | 'deactivate', stakeId: string) => {
  slot += 1
  sent.push({ id: newId(), kind, stakeId, restId: null, amount: 0n, status: 'confirmed' })
}

describe('the rest of a split', () => {
  test('that failed is withdrawn with the reason and its event; its stake has all again', async () => {
    const id = await staked(10n)
    const restId = newId()
    const move = await split(id, 4n, restId)
    await becomes(move, 'failed')
    await follow()
    expect(await stakeNow(restId)).toMatchObject({ status: 'withdrawn', reason: 'it failed', amount: 4n, confirmedAt: null })
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
    expect([await stakeNow(restId), await stakeNow(second)]).toMatchObject([{ reason: 'expired' }, { reason: 'expired', status: 'withdrawn' }])
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
    await becomes(await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n }), 'confirmed')
    await follow()
    expect(await stakeNow(id)).toMatchObject({ status: 'unstaking', chainState: 'inactive' })
    byOwner('delegate', id)
    await follow()
    expect(await stakeNow(id)).toMatchObject({ status: 'active', chainState: 'active', unstakedAt: null, penalty: null })
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
    seenSlot = slot
    await becomes(await store('native-unstake', { kind: 'unstake', stakeId: id, restId: null, amount: 0n }), 'confirmed')
    await db().query('update stakes set next_at = now() where id = $1', [id])
    await stepStake(world.ctx, id)
    expect(await stakeNow(id)).toMatchObject({ status: 'unstaking', chainState: 'active' })
    const [row] = await db().query<{ seconds: number }>('select extract(epoch from next_at - now())::float8 as seconds from stakes where id = $1', [id])
    expect(row?.seconds).toBeGreaterThan(5)
    expect(row?.seconds).toBeLessThanOrEqual(15)
  })
})

/** No transaction is in a block without the one that it needs: it fails. */
async function comeToRest(): Promise<void> {
  const exists = new Set<string>()
  for (const { id, kind, stakeId, restId, status } of sent) {
    if (kind === 'delegate' || kind === 'deactivate') continue
    const isPossible = kind === 'stake' || exists.has(stakeId)
    if (!isPossible && status !== 'expired') await becomes(id, 'expired')
    if (isPossible && isOpen({ status })) await becomes(id, 'confirmed')
    if (!isPossible || hasFailed({ status })) continue
    exists.add(kind === 'stake' ? id : stakeId)
    if (restId !== null) exists.add(restId)
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('split' as const), which: fc.nat(50), share: fc.nat(100) }) },
  fc.record({ kind: fc.constant('status' as const), which: fc.nat(50), status: fc.constantFrom('unknown', 'confirmed', 'failed', 'expired') }),
  fc.record({ kind: fc.constantFrom('delegate' as const, 'deactivate' as const), which: fc.nat(50) }),
  fc.record({ kind: fc.constant('rest' as const) }),
)

async function carryOut(each: typeof step extends fc.Arbitrary<infer T> ? T : never, rootId: string): Promise<void> {
  const parts = await readStakes(db(), 'root_id = $1 order by id', [rootId])
  if (each.kind === 'split') {
    const open = parts.filter(({ status, confirmedAt, reason, amount }) => status === 'active' && confirmedAt !== null && reason === null && amount > 1n)
    const one = open[each.which % open.length]
    if (one) await split(one.id, 1n + (BigInt(each.share) * (one.amount - 2n)) / 100n)
  } else if (each.kind === 'status') {
    const one = sent[each.which % sent.length]
    if (one && (one.kind === 'stake' || one.kind === 'unstake')) await becomes(one.id, each.status as Status)
  } else if (each.kind !== 'rest') {
    const ids = [...held().keys()]
    const id = ids[each.which % ids.length]
    if (id !== undefined) byOwner(each.kind, id)
  }
}

test('random trees of splits, with forks and failures: the parts are what the chain holds, and each has the event of its state', async () => {
  const staking = 1_000_000n
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      sent = []
      const rootId = await staked(staking)
      for (const each of [...steps, { kind: 'rest' as const }]) {
        await carryOut(each, rootId)
        if (each.kind === 'rest') await comeToRest()
        await follow()
        const parts = await readStakes(db(), 'root_id = $1', [rootId])
        const live = parts.filter(({ reason }) => reason === null)
        const isStaked = (await stakeNow(rootId)).reason === null
        expect(live.reduce((sum, { amount }) => sum + amount, 0n)).toBe(isStaked ? staking : 0n)
        if (each.kind !== 'rest') continue
        const chain = held()
        expect(new Map(live.map(({ id, amount }) => [id, amount]))).toEqual(new Map([...chain].map(([id, { amount }]) => [id, amount])))
        for (const { id, status, rewards } of parts) {
          const account = chain.get(id)
          const expected = !account ? 'withdrawn' : account.isDeactivated ? 'unstaking' : 'active'
          expect([status, account ? rewards : null]).toEqual([expected, account ? 0n : null])
          expect((await eventsOf(id)).at(-1) ?? 'stake.active').toBe(`stake.${status}`)
        }
      }
    }),
    { numRuns: howMany(25, 500) },
  )
}, 120_000)

describe('a stake is read again', () => {
  const now = Date.parse('2026-12-01T00:00:00Z')
  const [minute, hour] = [60_000, 3_600_000]
  const account = accountOf({ amount: 1n, isDeactivated: false })
  const look = (more: Partial<StakeLook>): StakeLook => ({ account, slot: 1, epochEndsAt: new Date(now + 5 * hour), paysRewards: false, ...more })

  test('when the epoch ends, and not all at once; once a day in a longer one', () => {
    expect([nextLook(look({}), now, 0), nextLook(look({}), now, 1)]).toEqual([5 * hour, 5 * hour + 10 * minute])
    expect(nextLook(look({ account: { ...account, state: 'inactive' } }), now, 0)).toBe(5 * hour)
    expect(nextLook(look({ epochEndsAt: new Date(now + 50 * hour) }), now, 0)).toBe(24 * hour)
    expect(nextLook(look({ epochEndsAt: new Date(now - hour) }), now, 0)).toBe(minute)
  })

  test('when it can be withdrawn, while rewards are paid, and when an account is missing', () => {
    const cooling = { ...account, state: 'deactivating', withdrawableAt: new Date(now + 2 * hour) } as const
    expect(nextLook(look({ account: cooling }), now, 1)).toBe(2 * hour)
    expect(nextLook(look({ paysRewards: true }), now, 1)).toBe(5 * minute)
    expect(nextLook(look({ account: null }), now, 1)).toBe(hour)
  })
})
