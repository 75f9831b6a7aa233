import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { callOnTron } from '../devnets/customers/tron.ts'
import { type TronDevnet, tronDevnetEnv } from '../devnets/tron.ts'
import { chooseFinality } from '../support/apiKeyHeaders.ts'
import { runCommand } from '../support/command.ts'
import { howMany } from '../support/full.ts'
import { recordOf, wholeRecord } from '../support/otherDevnets.ts'
import { effectsOn } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectEachPaidOnce } from './behindProxies.ts'
import { metric } from './metric.ts'
import { behindMs, cursorOf, failuresOf, idIn, lag, providerFaults, reversalsIn } from './providerFaults.ts'

// Providers of Tron that answer falsely, forget or fail, and reorgs above the solidified block. The devnet's
// own face is honest.

const faces = ['first', 'second'] as const
type Face = (typeof faces)[number]

/** Blocks on top of a block until the devnet calls it solidified. */
const finalAfter = 4
/** More blocks than are read one by one at the head: deeper ones are read in ranges. */
const deeperThanHead = 25

const ourKey = 'our-key-of-trongrid'

let stack: Stack
let tron: TronDevnet

beforeAll(async () => {
  stack = await createStack({
    processes: ['cowry'],
    chains: ['tron'],
    finalizedTag: true,
    env: { TRON_MIN_CONFIRMATIONS: '1', TRON_API_KEY: ourKey, INDEXER_POLL_MS: '80', TRON_BLOCK_MS: '80' },
    rpcUrls: async (nodeUrl) => faces.map((face) => `${nodeUrl}/faces/${face}`),
  })
  tron = stack.other('tron')
})
afterAll(() => stack?.close())

const lie = (face: Face, flags: object) => tron.control('misbehave', { face, ...flags })
const bothLie = (flags: object) => Promise.all(faces.map((face) => lie(face, flags)))
async function honest(): Promise<void> {
  await bothLie({ clear: true })
  await lie('second', { slowMs: behindMs })
}

beforeEach(() => honest())
afterEach(async () => {
  await honest()
  await stack.mine()
  await stack.caughtUp()
  expect(await recordOf(stack.db, 'tron')).toEqual(wholeRecord)
})

const indexer = () => stack.processes.get('indexer')
const failures = () => failuresOf(stack)
const refused = () => metric(indexer(), 'cowry_rpc_refused_answers_total')
const cursor = () => cursorOf(stack)
const idAt = (height: number) => idIn(stack, height)
const reversals = () => reversalsIn(stack)

const createSession = (body: object = {}) => stack.createSession({ token: 'USDT', ...body })
const nextHeight = async () => (await stack.height()) + 1
const rescan = async (from: number, to: number) =>
  expect(
    await runCommand(stack, 'rescan', ['tron', String(from), String(to)], tronDevnetEnv(tron)),
  ).toMatchObject({ code: 0 })

/** @returns the height of the payment's block */
async function payInNext(session: SessionBody): Promise<number> {
  await stack.pay(session)
  await stack.mine()
  return stack.height()
}

async function expectPaidOnce(...sessions: SessionBody[]): Promise<void> {
  await stack.mine(finalAfter)
  await expectEachPaidOnce(stack, sessions)
}

async function expectNothingCredited({ id }: SessionBody): Promise<void> {
  expect((await effectsOn(stack, [id])).get(id)).toMatchObject({
    credits: 0,
    status: 'pending',
    paidEvents: 0,
  })
}

/** Expects that no height from `height` on counts as read, and that metrics and logs show why. */
async function expectWaitsBelow(height: number, why: RegExp): Promise<void> {
  const [before, mark] = [await failures(), stack.logs().length]
  await waitFor('several failed rounds', async () => (await failures()) > before + 2)
  expect(stack.logs().slice(mark)).toMatch(why)
  expect(await cursor()).toBeLessThan(height)
}

const bySeen = (session: SessionBody) =>
  waitFor('the payment to be seen', async () =>
    (await stack.session(session.id)).payments.some(({ status }) => status === 'seen'),
  )

describe('a reorg above the solidified block', () => {
  test('reverts a seen payment, which was not credited; a new payment is credited once', async () => {
    const [session, taken] = [await createSession(), await reversals()]
    const height = await payInNext(session)
    await bySeen(session)
    const lost = await idAt(height)
    await tron.control('reorg', { depth: 1 })
    await stack.mine(2)
    await waitFor(
      'reverted',
      async () => (await stack.session(session.id)).payments[0]?.status === 'reverted',
    )
    await expectNothingCredited(session)
    await stack.caughtUp()
    expect(await idAt(height)).not.toBe(lost)
    await payInNext(session)
    await expectPaidOnce(session)
    expect([await reversals(), stack.receiver.types(session.id).includes('session.reversed')]).toEqual([
      taken,
      false,
    ])
  })

  test('with the payment in both forks finds it again, and credits it once', async () => {
    const [session, taken] = [await createSession(), await reversals()]
    await stack.mine(finalAfter)
    await payInNext(session)
    await stack.mine()
    await bySeen(session)
    await stack.caughtUp()
    expect(await tron.control('reorg', { depth: 2, keep: true })).toMatchObject({
      kept: [expect.any(String)],
    })
    await stack.mine(3)
    await waitFor('the other fork', async () =>
      (await stack.session(session.id)).payments.some(({ status }) => status === 'reverted'),
    )
    await expectPaidOnce(session)
    expect([await reversals(), stack.receiver.types(session.id).includes('session.reversed')]).toEqual([
      taken,
      false,
    ])
  })

  test('reverts the payment to a business that accepts after one confirmation, and reports it', async () => {
    const choose = (rules: object[]) => chooseFinality(stack, rules)
    expect((await choose([{ chain: 'tron', early: { upTo: '50', confirmations: 1 } }])).status).toBe(200)
    const session = await createSession({ amount: '20' })
    expect((await choose([])).status).toBe(200)
    await payInNext(session)
    await stack.sessionIs(session.id, 'paid')
    await tron.control('reorg', { depth: 1 })
    await stack.mine(2)
    await stack.sessionIs(session.id, 'pending')
    await stack.idle()
    expect(stack.receiver.types(session.id)).toEqual(
      expect.arrayContaining(['session.paid', 'session.reversed']),
    )
    expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({
      credits: 0,
      detections: 0,
    })
  })
})

describe('data that contradicts the id of its block', () => {
  test('outcomes of a block that was reorged away are refused: the payment is read at the second provider; at both, the chain waits', async () => {
    const [lost, session, other] = [await createSession(), await createSession(), await createSession()]
    await payInNext(lost)
    await payInNext(lost)
    await stack.caughtUp()
    await lie('first', { infoOfOtherFork: true })
    const before = await refused()
    await tron.control('reorg', { depth: 2 })
    await payInNext(session)
    await stack.mine(3)
    await stack.caughtUp()
    expect(await refused()).toBeGreaterThan(before)
    await expectPaidOnce(session)
    await expectNothingCredited(lost)

    await payInNext(lost)
    await bothLie({ infoOfOtherFork: true })
    await tron.control('reorg', { depth: 1 })
    const height = await payInNext(other)
    await stack.mine()
    await expectWaitsBelow(
      height,
      new RegExp(`of block ${height} has no outcome there|block ${height} has 1 transactions, and`),
    )
    await honest()
    await expectPaidOnce(other)
    await expectNothingCredited(lost)
  })

  test('a wrong parent is refused, as the id contains it: the block is read at the second provider; at both, the chain waits', async () => {
    await stack.caughtUp()
    const [one, other, reorgs] = [
      await createSession(),
      await createSession(),
      await metric(indexer(), 'cowry_reorgs_total'),
    ]
    await lie('first', { wrongParent: await nextHeight() })
    await payInNext(one)
    await expectPaidOnce(one)
    await stack.caughtUp()
    const height = await nextHeight()
    await bothLie({ wrongParent: height })
    await payInNext(other)
    await stack.mine()
    await expectWaitsBelow(height, new RegExp(`the id of block ${height} is not that of its header`))
    await honest()
    await expectPaidOnce(other)
    expect(await metric(indexer(), 'cowry_reorgs_total')).toBe(reorgs)
  })

  test('a wrong amount in JSON is not read: the signed amount is credited, even if both providers are false', async () => {
    const session = await createSession()
    await bothLie({ amountOff: await stack.pay(session) })
    await stack.mine()
    await expectPaidOnce(session)
    expect((await stack.session(session.id)).payments).toMatchObject([{ amount: session.amountExpected }])
  })

  test('a failed call that is shown as a success pays nothing', async () => {
    const [session, other] = [await createSession(), await createSession()]
    const moreThanThereIs = '1000000000000000'
    await bothLie({ failedAsSuccess: [await stack.pay(session, moreThanThereIs)] })
    await payInNext(other)
    await expectPaidOnce(other)
    expect((await stack.session(session.id)).payments).toEqual([])
    await expectNothingCredited(session)
  })
})

describe('omissions, which no id reveals', () => {
  const payTrxWithin = (session: SessionBody) =>
    callOnTron(tron, tron.forwarder, 'pay(address)', [{ type: 'address', value: session.address }], {
      callValue: 2_000_000,
    })

  test('next to another payment to the same session are noticed, of a transaction and of logs; after a rescan both payments are credited', async () => {
    const [transaction, logs] = [await createSession(), await createSession()]
    const from = await nextHeight()
    for (const [flag, session] of [
      ['omit', transaction],
      ['omitLogs', logs],
    ] as const) {
      await lie('first', { [flag]: [await stack.pay(session, '40')] })
      await stack.pay(session, '60')
      await stack.mine()
    }
    const to = await stack.height()
    await stack.mine(finalAfter + 1)
    await waitFor('the disagreement about both', async () => {
      const sql = 'select 1 from detections where subject_id = any($1::uuid[]) and disputed_at is not null'
      return (await stack.db.query(sql, [[transaction.id, logs.id]])).length === 2
    })
    for (const session of [transaction, logs]) await expectNothingCredited(session)
    await honest()
    await rescan(from, to)
    for (const { id } of [transaction, logs]) {
      await stack.sessionIs(id, 'paid')
      expect((await effectsOn(stack, [id])).get(id)).toMatchObject({ detections: 2, credits: 2 })
    }
  })

  test('alone are found by a rescan and credited once: a transaction, logs, and TRX sent by a contract, which a node may not store', async () => {
    const [transaction, logs, trx] = [await createSession(), await createSession(), await createSession()]
    const from = await nextHeight()
    await lie('first', {
      omit: [await stack.pay(transaction)],
      omitLogs: [await stack.pay(logs)],
      noInternal: true,
    })
    await stack.mine()
    await payTrxWithin(trx)
    await stack.mine()
    const to = await stack.height()
    await stack.mine(finalAfter + 1)
    await stack.caughtUp()
    for (const { id } of [transaction, logs, trx]) expect((await stack.session(id)).payments).toEqual([])
    await honest()
    await rescan(from, to)
    await expectPaidOnce(transaction, logs)
    await waitFor('the TRX', async () => (await stack.session(trx.id)).payments[0]?.status === 'confirmed')
    expect(await stack.session(trx.id)).toMatchObject({
      status: 'pending',
      payments: [{ token: 'TRX', amount: '2', exception: 'wrong_token' }],
    })
  })
})

describe('blocks that a provider does not keep', () => {
  test.each([
    ['pruned', (height: number) => ({ pruneBelow: height + deeperThanHead }), /no provider has block/],
    ['a lite node that refuses history', () => ({ lite: true }), /getblockbynum: not JSON/],
  ])(
    '%s: they are read at the second provider, and without it the chain waits and reports it',
    async (_, flags, why) => {
      await stack.caughtUp()
      const [one, other] = [await createSession(), await createSession()]
      // Both freeze, and lose the blocks of that time.
      await bothLie({ lagBlocks: deeperThanHead + 2 })
      const height = await payInNext(one)
      await payInNext(other)
      await stack.mine(deeperThanHead)
      await bothLie({ lagBlocks: 0, ...flags(height) })
      await expectWaitsBelow(height, why)
      await lie('second', { clear: true })
      await stack.caughtUp()
      await expectPaidOnce(one, other)
    },
  )
})

describe.each(faces.slice(0, howMany(1, 2)))('faults of the %s of two providers', (face) => {
  test.each(providerFaults)('%s: payments are detected and credited once', async (_, fault) => {
    const sessions = [await createSession(), await createSession()]
    await lie(face, fault)
    for (const session of sessions) await payInNext(session)
    // The solidified block of a lagging provider lags as well.
    await stack.mine(lag)
    await expectPaidOnce(...sessions)
  })
})

describe('providers that require a key', () => {
  const otherKey = 'another-key-of-trongrid'
  const refusal = /status 401: .*ApiKey not exists/

  test('with a wrong key: the refusal is reported without any key, and nothing is read; with the right one the payment is credited', async () => {
    const session = await createSession()
    await stack.caughtUp()
    await bothLie({ apiKey: otherKey })
    const height = await payInNext(session)
    await expectWaitsBelow(height, refusal)
    await bothLie({ apiKey: ourKey })
    await expectPaidOnce(session)
    for (const key of [ourKey, otherKey]) expect(stack.logs()).not.toContain(key)
  })

  test('without a key: nothing can be read, and the refusal is reported', async () => {
    await bothLie({ apiKey: ourKey })
    const { chains } = configuredChains({
      ...tronDevnetEnv(tron),
      TRON_RPC_URLS: faces.map((face) => tron.faceUrl(face)).join(),
    })
    const [chain] = chains
    if (!chain) throw new Error('tron is not configured')
    const observe = { called: () => {}, refused: () => {} }
    const { reader, close } = await connectChain(chain, {
      timeoutMs: 5000,
      observe,
      log: createLog('test', 'silent'),
    })
    try {
      for (const read of [reader.verify(), reader.head(), reader.blocks(1, 2)])
        await expect(read).rejects.toThrow(refusal)
    } finally {
      await close()
    }
  })
})
