import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type OpenCollections, openCollections } from '../../test/support/openCollections.ts'
import { newId } from '../platform/ids.ts'
import { applyAnswer } from './applyAnswer.ts'
import { enqueueLateSettlements } from './lateSettlements.ts'
import type { CollectionWanted } from './readCollection.ts'
import { settleWallet } from './settleWallet.ts'

// What has come to a watched wallet, as the indexers store it, and what its collections have of it.

let open: OpenCollections
let businessId: string
let height = 100
beforeAll(async () => {
  open = await openCollections()
})
afterAll(() => open?.close())
beforeEach(async () => {
  businessId = await open.business()
  open.alarms.length = 0
})

const newWallet = () => `0x${newId().replaceAll('-', '')}000000aa`

async function completed(
  walletAddress: string,
  of = businessId,
  more: Partial<CollectionWanted> = {},
): Promise<string> {
  const { id } = (await open.create(of, { walletAddress, ...more })).body
  const made = open.standIn.collections.bySequence(id)
  if (!made) throw new Error('the partner does not have it')
  open.standIn.collections.receive(made)
  await open.db.query('update fiat_collections set next_at = now() where id = $1', [id])
  await open.stepAll()
  return id
}

/** A transfer to the wallet of a collection, as an indexer detects it. @returns the detection */
async function detected(
  collectionId: string,
  { amount, token = 'USDC', status = 'seen', isTaken = true, memo = null }: Came,
): Promise<string> {
  const transfer = newId()
  const { chain, address } = await open.read(collectionId)
  await open.db.query(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, memo, memo_type)
     values ($1, $2, $3, $4, now(), $5, '0', 'c', $6, 'a', $7, $8, $9, $10)`,
    [
      transfer,
      chain,
      ++height,
      `block-${height}`,
      `0x${height}`,
      token,
      address,
      amount,
      memo,
      memo && 'text',
    ],
  )
  const detection = await seenBy(collectionId, transfer, status)
  if (isTaken) await job(collectionId, [detection])
  return detection
}

interface Came {
  amount: string
  token?: string
  status?: string
  isTaken?: boolean
  memo?: string | null
}

/** The watch of a collection's wallet detects a transfer. Each business that watches its address has one. */
async function seenBy(collectionId: string, transfer: string, status = 'seen'): Promise<string> {
  const detection = newId()
  const { walletId, businessId: of, chain } = await open.read(collectionId)
  const [watch] = await open.db.query<{ id: string }>(
    "select id from watches where subject_id = $1 and purpose = 'collection'",
    [walletId],
  )
  await open.db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, direction)
     values ($1, $2, $3, $4, $5, $6, $7, 1, $8, 'in')`,
    [detection, transfer, watch?.id, of, walletId, chain, height, status],
  )
  return detection
}
const job = async (collectionId: string, detectionIds: string[] = []) => {
  const { walletId } = await open.read(collectionId)
  await settleWallet(open.ctx, { walletId: walletId ?? '', detectionIds, outboxId: '0' })
}
const become = async (collectionId: string, detection: string, status: string) => {
  await open.db.query('update detections set status = $2 where id = $1', [detection, status])
  await job(collectionId, [detection])
}
const settlementOf = async (id: string) => {
  const { settlement, txId, reason } = await open.read(id)
  return { settlement, txId, reason }
}
/** What the partner states, cut to base units of the token. */
const stated = async (id: string) => {
  const [whole = '', fraction = ''] = ((await open.read(id)).cryptoAmount ?? '').split('.')
  return whole + fraction.padEnd(6, '0').slice(0, 6)
}

test('the first collection of a wallet watches it, on its chain alone; the next ones share the watch', async () => {
  const walletAddress = newWallet()
  const [one, other] = [await completed(walletAddress), await completed(walletAddress)]
  expect((await open.read(one)).walletId).toBe((await open.read(other)).walletId)
  expect(
    await open.db.query(
      `select chain, encode(address, 'hex') as address, removed_at as "removedAt" from watches where business_id = $1 and purpose = 'collection'`,
      [businessId],
    ),
  ).toEqual([{ chain: 'base', address: walletAddress.slice(2), removedAt: null }])
})

test('a transfer is seen, confirmed, taken back by a fork, and comes again', async () => {
  const id = await completed(newWallet())
  expect(await settlementOf(id)).toEqual({ settlement: 'none', txId: null, reason: null })
  const detection = await detected(id, { amount: await stated(id) })
  const txId = `0x${height}`
  expect(await settlementOf(id)).toEqual({ settlement: 'seen', txId, reason: null })
  await become(id, detection, 'confirmed')
  expect(await settlementOf(id)).toEqual({ settlement: 'confirmed', txId, reason: null })
  await become(id, detection, 'reverted')
  expect(await settlementOf(id)).toEqual({ settlement: 'none', txId: null, reason: null })
  await become(id, detection, 'confirmed')
  expect(await settlementOf(id)).toEqual({ settlement: 'confirmed', txId, reason: null })
  expect(open.alarms).toEqual([])
})

test('other money is not linked, a transfer settles one collection, and each gets its own', async () => {
  const walletAddress = newWallet()
  const [one, other] = [await completed(walletAddress), await completed(walletAddress)]
  await detected(one, { amount: '777', status: 'confirmed' })
  expect([(await settlementOf(one)).settlement, (await settlementOf(other)).settlement]).toEqual([
    'none',
    'none',
  ])
  await detected(one, { amount: await stated(one), status: 'confirmed' })
  expect([(await settlementOf(one)).settlement, (await settlementOf(other)).settlement]).toEqual([
    'confirmed',
    'none',
  ])
  await detected(one, { amount: await stated(one), status: 'confirmed' })
  const txIds = [(await settlementOf(one)).txId, (await settlementOf(other)).txId]
  expect([new Set(txIds).size, txIds.includes(null)]).toEqual([2, false])
})

test('what does not come in time, or is too little, is a mismatch that alarms once; the right transfer ends it', async () => {
  const id = await completed(newWallet())
  await open.db.query("update fiat_collections set ended_at = now() - interval '61 minutes' where id = $1", [
    id,
  ])
  await enqueueLateSettlements(open.db)
  const jobs = await open.db.query<{ payload: { walletId: string } }>(
    "select payload from outbox where queue = 'collection-settlement'",
  )
  expect(jobs.map(({ payload }) => payload.walletId)).toContain((await open.read(id)).walletId)
  await job(id)
  await job(id)
  expect(await settlementOf(id)).toEqual({ settlement: 'mismatch', txId: null, reason: 'settlement_missing' })
  expect(open.alarms).toEqual(['settlement_mismatch'])
  await detected(id, { amount: '5' })
  expect(await settlementOf(id)).toEqual({
    settlement: 'mismatch',
    txId: `0x${height}`,
    reason: 'settlement_too_little',
  })
  await detected(id, { amount: await stated(id), status: 'confirmed' })
  expect(await settlementOf(id)).toEqual({ settlement: 'confirmed', txId: `0x${height}`, reason: null })
  expect(open.alarms).toEqual(['settlement_mismatch'])
})

test('jobs of one wallet at the same moment: each collection gets a transfer of its own', async () => {
  for (let round = 0; round < 5; round++) {
    const walletAddress = newWallet()
    const ids = [
      await completed(walletAddress),
      await completed(walletAddress),
      await completed(walletAddress),
    ]
    const [one = ''] = ids
    const amount = await stated(one)
    const detections = [
      await detected(one, { amount, isTaken: false }),
      await detected(one, { amount, isTaken: false }),
      await detected(one, { amount, isTaken: false }),
    ]
    await Promise.all(detections.map((detection) => job(one, [detection])))
    const settled = await Promise.all(ids.map(settlementOf))
    expect([
      settled.map(({ settlement }) => settlement),
      new Set(settled.map(({ txId }) => txId)).size,
    ]).toEqual([['seen', 'seen', 'seen'], 3])
  }
})

const isLate = (id: string) =>
  open.db.query("update fiat_collections set ended_at = now() - interval '61 minutes' where id = $1", [id])
const lateWallets = async (): Promise<string[]> => {
  await open.db.query("delete from outbox where queue = 'collection-settlement'")
  await enqueueLateSettlements(open.db)
  const jobs = await open.db.query<{ payload: { walletId: string } }>(
    "select payload from outbox where queue = 'collection-settlement'",
  )
  return jobs.map(({ payload }) => payload.walletId)
}
const walletOf = async (id: string) => (await open.read(id)).walletId

describe('a partner that does not name the amount', () => {
  /** The partner's answers leave it out, as those of some of its channels may; it names the transaction. */
  async function unknownAmount(txHash: string | null): Promise<string> {
    open.standIn.lie = (given) => {
      const { cryptoAmount: _, ...rest } = given.settlementInfo as Record<string, unknown>
      return { ...given, settlementInfo: { ...rest, ...(txHash !== null && { txHash }) } }
    }
    const id = await completed(newWallet())
    open.standIn.lie = null
    expect([(await open.read(id)).status, (await open.read(id)).cryptoAmount]).toEqual(['completed', null])
    return id
  }

  test('its transaction is not confirmed; in the end it is a mismatch that alarms once and is enqueued no more; the amount ends it', async () => {
    const id = await unknownAmount(`0x${height + 1}`)
    const txId = `0x${height + 1}`
    await detected(id, { amount: '48366548', status: 'confirmed' })
    expect(await settlementOf(id)).toEqual({ settlement: 'none', txId: null, reason: null })
    await isLate(id)
    expect(await lateWallets()).toContain(await walletOf(id))
    await job(id)
    await job(id)
    expect(await settlementOf(id)).toEqual({
      settlement: 'mismatch',
      txId,
      reason: 'settlement_unknown_amount',
    })
    expect(open.alarms).toEqual(['settlement_mismatch'])
    expect(await lateWallets()).not.toContain(await walletOf(id))
    // Later the partner does name it: that alone has the wallet checked.
    const answer = await open.ctx.partner.find(id)
    if (!answer) throw new Error('no answer')
    const updatedAt = new Date(answer.updatedAt.getTime() + 1000)
    const settlement = answer.settlement && { ...answer.settlement, txHash: txId }
    await applyAnswer(
      open.ctx,
      id,
      { ...answer, cryptoAmount: '48.36654812', settlement, updatedAt },
      new Date(),
    )
    const enqueued = await open.db.query<{ payload: { walletId: string } }>(
      "select payload from outbox where queue = 'collection-settlement'",
    )
    expect(enqueued.map(({ payload }) => payload.walletId)).toContain(await walletOf(id))
    await job(id)
    expect(await settlementOf(id)).toEqual({ settlement: 'confirmed', txId, reason: null })
    expect(open.alarms).toEqual(['settlement_mismatch'])
  })

  test('no transfer is a match', async () => {
    const id = await unknownAmount(null)
    await detected(id, { amount: '48366548', status: 'confirmed' })
    await isLate(id)
    await job(id)
    expect(await settlementOf(id)).toEqual({
      settlement: 'mismatch',
      txId: null,
      reason: 'settlement_unknown_amount',
    })
  })
})

/** Copies a row, as many collections of one wallet. */
async function copies(id: string, n: number, change: Readonly<Record<string, string>>): Promise<void> {
  const columns = await open.db.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_name = 'fiat_collections' and column_name not in ('id', 'partner_payment_id')",
  )
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => change[name] ?? `c.${name}`)
  const ids = Array.from({ length: n }, () => newId())
  await open.db.query(
    `insert into fiat_collections (id, partner_payment_id, ${names}) select made.id, made.id::text, ${values}
     from fiat_collections c, unnest($2::uuid[]) as made (id) where c.id = $1`,
    [id, ids],
  )
}

test.each([
  ['open ones', { status: "'processing'", ended_at: 'null' }],
  [
    'mismatches',
    {
      settlement: "'mismatch'",
      reason: "'settlement_missing'",
      created_at: "now() - interval '3 days'",
      ended_at: "now() - interval '3 days'",
    },
  ],
])('more %s of a wallet than a job reads are all settled', async (_what, change) => {
  const walletAddress = newWallet()
  const first = await completed(walletAddress)
  await copies(first, 600, change)
  const last = await completed(walletAddress)
  await open.db.query("update fiat_collections set settlement = 'confirmed' where id = $1", [first])
  await detected(last, { amount: await stated(last), status: 'confirmed' })
  expect((await settlementOf(last)).settlement).toBe('confirmed')
})

test('more late ones of a wallet than a job reads keep no other wallet waiting', async () => {
  const [many, one] = [await completed(newWallet()), await completed(newWallet())]
  for (const id of [many, one]) await isLate(id)
  await copies(many, 600, { ended_at: "now() - interval '2 days'" })
  expect(await lateWallets()).toEqual(expect.arrayContaining([await walletOf(many), await walletOf(one)]))
})

const stellarWallet = 'GA26H3MWSOUHFP7C44MPZG36CZORNMRF5UV2NYI5ELAODMK3E5TEMCLF'

test('on stellar a transfer with another memo, or without one, settles nothing and is a mismatch that names it; the right memo settles', async () => {
  const id = await completed(stellarWallet, businessId, { cryptoNetwork: 'stellar', memo: 'shop 7' })
  const amount = `${await stated(id)}0`
  await detected(id, { amount, status: 'confirmed' })
  await detected(id, { amount, status: 'confirmed', memo: 'shop 8' })
  expect(await settlementOf(id)).toEqual({ settlement: 'none', txId: null, reason: null })
  await isLate(id)
  await job(id)
  expect(await settlementOf(id)).toMatchObject({ settlement: 'mismatch', reason: 'settlement_other_memo' })
  expect(open.alarms).toEqual(['settlement_mismatch'])
  await detected(id, { amount, status: 'confirmed', memo: 'shop 7' })
  expect(await settlementOf(id)).toEqual({ settlement: 'confirmed', txId: `0x${height}`, reason: null })
})

describe('one wallet of two businesses', () => {
  /** A transfer that both businesses see, and settle at the same moment. */
  async function seenByBoth(one: string, other: string, amount: string): Promise<string> {
    const first = await detected(one, { amount, status: 'confirmed', isTaken: false })
    const [row] = await open.db.query<{ transfer: string }>(
      'select transfer_id as transfer from detections where id = $1',
      [first],
    )
    const second = await seenBy(other, row?.transfer ?? '', 'confirmed')
    await Promise.all([job(one, [first]), job(other, [second])])
    return `0x${height}`
  }
  const both = async (walletAddress: string) => {
    const other = await open.business()
    return [await completed(walletAddress), await completed(walletAddress, other)] as const
  }

  test('a transfer settles one collection, and the next one the other', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, other] = await both(newWallet())
      const amount = await stated(one)
      expect(await stated(other)).toBe(amount)
      const txId = await seenByBoth(one, other, amount)
      const settled = [await settlementOf(one), await settlementOf(other)]
      expect(settled.filter((each) => each.settlement === 'confirmed')).toEqual([
        { settlement: 'confirmed', txId, reason: null },
      ])
      const second = await seenByBoth(one, other, amount)
      const txIds = [(await settlementOf(one)).txId, (await settlementOf(other)).txId]
      expect(new Set(txIds)).toEqual(new Set([txId, second]))
    }
  })

  test('the database refuses a second use of a transfer', async () => {
    const [one, other] = await both(newWallet())
    await seenByBoth(one, other, await stated(one))
    const free = (await settlementOf(one)).settlement === 'none' ? one : other
    await expect(
      open.db.query('update collection_transfers set collection_id = $1 where wallet_id = $2', [
        free,
        await walletOf(free),
      ]),
    ).rejects.toMatchObject({ constraint: 'collection_transfers_used' })
  })

  test('the transaction that the partner names for one does not settle the other', async () => {
    const [one, other] = await both(newWallet())
    await open.db.query('update fiat_collections set partner_tx_id = $2 where id = $1', [
      other,
      `0x${height + 1}`,
    ])
    const txId = await seenByBoth(one, other, await stated(one))
    expect([await settlementOf(one), await settlementOf(other)]).toEqual([
      { settlement: 'none', txId: null, reason: null },
      { settlement: 'confirmed', txId, reason: null },
    ])
  })
})
