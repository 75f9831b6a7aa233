import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type BridgeStand, bridgeStand, mintOnStand } from '../../test/support/bridgeStand.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeBurntTransfer } from '../../test/support/madeBridge.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { tracedHere } from '../../test/support/tracedHere.ts'
import { systemActor } from '../audit/recordAudit.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import { ProviderError } from '../chains/chain.ts'
import { newId } from '../platform/ids.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import { endUnknownBurn } from './endUnknownBurn.ts'
import { presentBridge } from './presentBridge.ts'
import { stepBridge } from './stepBridge.ts'

/** Steps of transfers whose intents, Circle and destination answer what a test wants. */

let database: TestDatabase
let stand: BridgeStand
const businessId = newId()
const minute = 60_000

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(() => database?.drop())
beforeEach(() => {
  stand = bridgeStand(database.db)
})

/** Its message is stored, and no treasury has published an address for its mint. */
const signed = 'treasury_not_started'

const make = () => makeBurntTransfer(database.db, businessId)

async function read(id: string): Promise<BridgeTransfer> {
  const [row] = await readBridgeTransfers(database.db, 'id = $1', [id])
  if (!row) throw new Error('no such transfer')
  return row
}

/** Takes steps of a transfer, without their pauses. */
async function step(id: string, times = 1): Promise<BridgeTransfer> {
  for (let i = 0; i < times; i++) {
    await database.db.query('update bridge_transfers set next_at = now() where id = $1', [id])
    await stepBridge(stand.ctx, id)
  }
  return read(id)
}

/** A fork takes the burn back. @param more columns of its intent then */
const takeBack = (id: string, more = 'next_reconcile_at = now()', status = 'broadcast') =>
  database.db.query(`update intents set status = $2, block_height = null, ${more} where id = $1`, [
    id,
    status,
  ])

const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await database.db.query<{ type: string }>(
    "select type from events where data->>'id' = $1 order by sequence",
    [id],
  )
  return rows.map(({ type }) => type)
}

/** A transfer whose message is signed, and not minted. */
async function attested(): Promise<{ id: string; txId: string; message: MessageHex }> {
  const made = await make()
  stand.signed.set(made.txId, made.message)
  expect(await step(made.id, 2)).toMatchObject({ status: 'in_progress', message: made.message })
  return made
}

describe('a burn that a fork takes back', () => {
  test('is pending without an event; its nonce is kept, its message is not; mined again, it is in progress again', async () => {
    const { id, txId } = await attested()
    const { nonce } = await read(id)
    await takeBack(id)
    const pending = await step(id)
    expect(pending).toMatchObject({
      status: 'pending',
      nonce,
      message: null,
      attestation: null,
      sourceTxId: null,
    })
    expect(presentBridge(pending)).toMatchObject({
      status: 'pending',
      sourceTxHash: txId,
      destinationTxHash: null,
    })
    expect(await eventsOf(id)).toEqual(['bridge.in_progress'])
    await database.db.query("update intents set status = 'confirmed', block_height = 9 where id = $1", [id])
    expect(await step(id, 2)).toMatchObject({ status: 'in_progress', nonce })
    expect(await eventsOf(id)).toEqual(['bridge.in_progress', 'bridge.in_progress'])
  })

  test.each([
    ['failed for good', "reason = 'reverted', next_reconcile_at = null", 'failed'],
    [
      'lost its nonce to another transaction',
      "reason = 'sequence_used', next_reconcile_at = null",
      'expired',
    ],
  ])(
    'and that %s is completed if its message was minted, and marked as lost',
    async (_what, more, status) => {
      const { id, message } = await attested()
      await takeBack(id)
      await step(id)
      const minted = mintOnStand(stand, message)
      await takeBack(id, more, status)
      expect(await step(id)).toMatchObject({
        status: 'completed',
        destinationTxId: minted,
        errorMessage: null,
      })
      expect(await step(id)).toMatchObject({ status: 'completed', unburnt: 'lost' })
      expect(stand.steps).toContain('burn_lost')
      expect(await eventsOf(id)).toEqual(['bridge.in_progress', 'bridge.completed'])
    },
  )

  test('and that is mined again is completed without a question to Circle, if its message was minted', async () => {
    const { id, message } = await attested()
    await takeBack(id)
    await step(id)
    const minted = mintOnStand(stand, message)
    await database.db.query("update intents set status = 'confirmed', block_height = 9 where id = $1", [id])
    const asked = stand.asked.length
    expect(await step(id, 2)).toMatchObject({ status: 'completed', destinationTxId: minted })
    expect(stand.asked.length).toBe(asked)
  })

  test('waits while its message is used in the newest block alone', async () => {
    const { id, message } = await attested()
    const { nonce } = await read(id)
    mintOnStand(stand, message)
    stand.used.set(nonce ?? '', 'newest')
    await takeBack(id, "reason = 'reverted', next_reconcile_at = null", 'failed')
    expect(await step(id, 2)).toMatchObject({ status: 'pending', errorMessage: null })
  })

  test('does not fail by the report of one node that its message is unused', async () => {
    const { id } = await attested()
    const { nonce } = await read(id)
    stand.doubted.add(nonce ?? '')
    await takeBack(id, "reason = 'reverted', message = 'too little', next_reconcile_at = null", 'failed')
    expect(await step(id, 3)).toMatchObject({ status: 'pending', nonce, errorMessage: null })
    stand.doubted.clear()
    expect(await step(id)).toMatchObject({ status: 'failed', nonce: null })
  })

  test('and that fails leaves its message to an equal burn', async () => {
    const [one, two] = [await make(), await make()]
    stand.signed.set(one.txId, two.message).set(two.txId, two.message)
    await step(one.id, 2)
    await takeBack(one.id, "reason = 'reverted', next_reconcile_at = null", 'failed')
    expect(await step(one.id, 2)).toMatchObject({ status: 'failed', nonce: null })
    expect(await step(two.id, 2)).toMatchObject({ message: two.message, delay: signed })
  })

  test('fails if no message of it was minted', async () => {
    const { id } = await attested()
    await takeBack(id, "reason = 'reverted', message = 'too little', next_reconcile_at = null", 'failed')
    expect(await step(id, 2)).toMatchObject({ status: 'failed', errorMessage: 'too little' })
    expect(await eventsOf(id)).toEqual(['bridge.in_progress', 'bridge.failed'])
  })

  test('after its mint leaves the transfer completed, which is followed until the burn is back, or lost', async () => {
    const { id, message } = await attested()
    mintOnStand(stand, message, 'final')
    expect(await step(id)).toMatchObject({ status: 'completed', unburnt: null, nextAt: null })
    await takeBack(id)
    expect(await step(id, 2)).toMatchObject({
      status: 'completed',
      unburnt: 'taken_back',
      nextAt: expect.any(String),
    })
    await database.db.query(
      "update intents set status = 'confirmed', tx_id = '0xagain', block_height = 9 where id = $1",
      [id],
    )
    expect(await step(id, 2)).toMatchObject({ unburnt: null, sourceTxId: '0xagain', nextAt: null })
    await takeBack(id, "reason = 'reverted', next_reconcile_at = null", 'failed')
    expect(await step(id, 2)).toMatchObject({ status: 'completed', unburnt: 'lost', nextAt: null })
    expect(stand.steps.filter((each) => each === 'taken_back' || each === 'burn_lost')).toEqual([
      'taken_back',
      'burn_lost',
    ])
    expect(await eventsOf(id)).toEqual(['bridge.in_progress', 'bridge.completed'])
  })
})

describe('equal burns', () => {
  test('whose messages Circle swaps are both signed', async () => {
    const [one, two] = [await make(), await make()]
    stand.signed.set(one.txId, two.message).set(two.txId, one.message)
    expect(await step(one.id, 2)).toMatchObject({ message: two.message })
    expect(await step(two.id, 2)).toMatchObject({ message: one.message, delay: signed })
  })

  test('of which one got the message of the other: the other takes the one that is free', async () => {
    const [one, two] = [await make(), await make()]
    stand.signed.set(one.txId, two.message).set(two.txId, two.message)
    await step(one.id, 2)
    stand.signed.set(one.txId, one.message)
    expect(await step(two.id, 2)).toMatchObject({ message: one.message, delay: signed })
    expect(stand.asked).toEqual([one.txId, two.txId, one.txId])
    expect(stand.steps).not.toContain('refused_answer')
  })

  test('that have one message between them: the second waits, after few questions', async () => {
    const [one, two] = [await make(), await make()]
    stand.signed.set(one.txId, one.message).set(two.txId, one.message)
    await step(one.id, 2)
    expect(await step(two.id, 2)).toMatchObject({ message: null, delay: 'unexpected_message' })
    expect(stand.asked.length).toBeLessThanOrEqual(4)
  })
})

test('the mint is searched near its signature first, at the cursor then, and over all the time after that', async () => {
  const { id, message } = await attested()
  await database.db.query(
    "update bridge_transfers set created_at = now() - interval '5 hours', attested_at = now() - interval '1 hour' where id = $1",
    [id],
  )
  mintOnStand(stand, message)
  stand.misses.push('77', null)
  expect(await step(id, 3)).toMatchObject({ status: 'completed' })
  const ages = stand.searches.map(({ since }) => Math.round((Date.now() - since.getTime()) / minute))
  expect([ages[0], ages[2]]).toEqual([70, 310])
  expect(stand.searches.map(({ cursor }) => cursor)).toEqual([null, '77', null])
})

describe('a burn whose nonce another transaction has used', () => {
  const actor = systemActor('cowry bridge')
  const evidence = 'case 14: the other one is a plain transfer'
  const end = (id: string) => database.db.tx((tx) => endUnknownBurn(tx, actor, id, evidence))
  const replaced = async () => {
    const { id } = await make()
    await takeBack(id, "reason = 'sequence_used', tx_id = '0xother', next_reconcile_at = null", 'expired')
    expect(await step(id)).toMatchObject({ status: 'pending', delay: 'burn_unknown' })
    return id
  }

  test('waits for the operator, who ends it with evidence: it has failed for good', async () => {
    const id = await replaced()
    await end(id)
    expect(await step(id)).toMatchObject({
      status: 'failed',
      delay: null,
      nextAt: null,
      errorMessage: expect.stringContaining('used the nonce'),
    })
    expect(await eventsOf(id)).toEqual(['bridge.failed'])
    const entries = await database.db.query(
      'select business_id as "businessId", action, actor_label as by, before, after from audit_log where target = $1',
      [id],
    )
    const [before, after] = [
      { status: 'pending', delay: 'burn_unknown' },
      { status: 'failed', evidence },
    ]
    expect(entries).toEqual([
      { businessId, action: 'bridge.ended_by_hand', by: 'cowry bridge', before, after },
    ])
    await expect(end(id)).rejects.toThrow('only a transfer that waits as burn_unknown is ended')
  })

  test.each([
    ['has lost its word', 'update bridge_transfers set delay = null where id = $1'],
    ['is completed', "update bridge_transfers set status = 'completed' where id = $1"],
    ['has a burn that may still be mined', 'update intents set next_reconcile_at = now() where id = $1'],
    ['has a burn that is mined after all', "update intents set status = 'confirmed' where id = $1"],
    ['has a burn that expired by itself', "update intents set reason = 'expired' where id = $1"],
  ])('is not ended by hand where it %s', async (_what, change) => {
    const id = await replaced()
    await database.db.query(change, [id])
    await expect(end(id)).rejects.toThrow('only a transfer that waits as burn_unknown is ended')
    expect(await database.db.query('select 1 from audit_log where target = $1', [id])).toEqual([])
  })

  test('is not found', async () => {
    await expect(end(newId())).rejects.toThrow('there is no bridge transfer')
  })
})

test('a burn that two workers see at once is reported once', async () => {
  const { id } = await make()
  await Promise.all(Array.from({ length: 4 }, () => stepBridge(stand.ctx, id)))
  expect(await read(id)).toMatchObject({ status: 'in_progress' })
  expect(await eventsOf(id)).toEqual(['bridge.in_progress'])
  expect(stand.steps.filter((each) => each === 'burnt')).toHaveLength(1)
})

test('a message whose destination does not answer is kept, and its transfer goes on later', async () => {
  const { id, txId, message } = await make()
  stand.signed.set(txId, message)
  const away = { ...stand.ctx, bridging: () => Promise.reject(new ProviderError('no answer')) }
  await step(id)
  await database.db.query('update bridge_transfers set next_at = now() where id = $1', [id])
  await stepBridge(away, id)
  expect(await read(id)).toMatchObject({ status: 'in_progress', message, delay: 'chain_unavailable' })
})

test('rent whose message Circle does not have any more is queried less and less often', async () => {
  const { id } = await make()
  await database.db.query(
    `update bridge_transfers set status = 'completed', source_tx_id = (select tx_id from intents where id = $1), burnt_at = now(),
       event_account = 'an account', reclaim_at = now(), tries = 20 where id = $1`,
    [id],
  )
  const { nextAt } = await step(id)
  expect(new Date(nextAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 60 * minute)
})

test('a transfer remembers its request, whose trace goes on with its steps and their webhooks; a claim and a free step alike', async () => {
  const traced = await tracedHere()
  try {
    const made = await traced.request(make)
    const [row] = await database.db.query(
      'select traceparent, request_id as "requestId" from bridge_transfers where id = $1',
      [made.id],
    )
    expect(row).toEqual(traced.cause)
    await step(made.id)
    const { how, span } = await traced.step('step bridge_transfers')
    expect([how, span.attributes['cowry.row.id']]).toEqual(['part', made.id])
    stand.signed.set(made.txId, made.message)
    await step(made.id, 2)
    const events = await database.db.query<{ traceparent: string }>(
      "select traceparent from events where data->>'id' = $1",
      [made.id],
    )
    expect(events.map(({ traceparent }) => traceparent.split('-')[1])).toEqual([span.traceId])
  } finally {
    await traced.stop()
  }
})
