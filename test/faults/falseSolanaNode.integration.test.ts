import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { solanaDevnetEnv } from '../devnets/solana.ts'
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

// Providers of Solana that answer falsely, forget or fail, and reorgs of blocks that are not final. The
// devnet's own face is honest.

const faces = ['first', 'second'] as const
type Face = (typeof faces)[number]

/** Blocks on top of a block until the devnet calls it finalized. */
const finalAfter = 4
/** More slots than are read one by one at the head: deeper ones are read in ranges. */
const deeperThanHead = 45

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['cowry'],
    chains: ['solana'],
    finalizedTag: true,
    env: { SOLANA_MIN_CONFIRMATIONS: '1', INDEXER_POLL_MS: '80', SOLANA_BLOCK_MS: '80' },
    rpcUrls: async (nodeUrl) => faces.map((face) => `${nodeUrl}/faces/${face}`),
  })
})
afterAll(() => stack?.close())

const control = <T>(action: string, params: object = {}) => stack.other('solana').control<T>(action, params)
const lie = (face: Face, flags: object) => control('misbehave', { face, ...flags })
const bothLie = (flags: object) => Promise.all(faces.map((face) => lie(face, flags)))
const honest = () =>
  Promise.all(
    faces.map((face) =>
      control('misbehave', { face, clear: true, ...(face === 'second' ? { slowMs: behindMs } : {}) }),
    ),
  )
const skip = (slots: number) => control('skip', { slots })
/** Hides new blocks from all providers until they are as deep as after a restart. */
const hideNewBlocks = () => bothLie({ lagBlocks: deeperThanHead + 10 })
const showNewBlocks = () => bothLie({ lagBlocks: 0 })
const openSlot = async () => (await control<{ open: number }>('status')).open

beforeEach(() => honest())
afterEach(async () => {
  await honest()
  await stack.mine()
  await stack.caughtUp()
  expect(await recordOf(stack.db, 'solana')).toEqual(wholeRecord)
})

const failures = () => failuresOf(stack)
const cursor = () => cursorOf(stack)
const idAt = (height: number) => idIn(stack, height)
const reversals = () => reversalsIn(stack)

/** Pays into the open slot and mines its block. @returns its slot */
async function payInNext(session: SessionBody): Promise<{ slot: number; txId: string }> {
  const slot = await openSlot()
  const txId = await stack.pay(session)
  await stack.mine()
  return { slot, txId }
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

/** Expects that no slot from `slot` on counts as read, and that metrics and logs show why. */
async function expectWaitsBelow(slot: number, why: RegExp, since = 0): Promise<void> {
  const [before, mark] = [await failures(), since || stack.logs().length]
  await waitFor('several failed rounds', async () => (await failures()) > before + 2)
  expect(stack.logs().slice(mark)).toMatch(why)
  expect(await cursor()).toBeLessThan(slot)
}

const bySeen = (session: SessionBody, count = 1) =>
  waitFor('the payment to be seen', async () => {
    const { payments } = await stack.session(session.id)
    return payments.filter(({ status }) => status !== 'reverted').length === count && payments
  })

describe('skipped slots', () => {
  test('between payments, a few or many: each is covered under its own id, and no round fails', async () => {
    await stack.caughtUp()
    const before = await failures()
    const sessions = [
      await stack.createSession(),
      await stack.createSession(),
      await stack.createSession(),
    ] as const
    const { slot } = await payInNext(sessions[0])
    await skip(3)
    await payInNext(sessions[1])
    await skip(3 * deeperThanHead)
    await payInNext(sessions[2])
    await stack.caughtUp()
    const parent = await idAt(slot)
    expect([await idAt(slot + 1), await idAt(slot + 3)]).toEqual([`${parent}+1`, `${parent}+3`])
    await expectPaidOnce(...sessions)
    expect(await failures()).toBe(before)
  })

  test('at the head: they are covered when the next block names its parent, not earlier', async () => {
    await stack.mine()
    await stack.caughtUp()
    const [head, before] = [await cursor(), await failures()]
    await skip(30)
    const blocks = await metric(stack.processes.get('indexer'), 'cowry_rpc_calls_total', 'getSlot')
    await waitFor(
      'requests for the head',
      async () =>
        (await metric(stack.processes.get('indexer'), 'cowry_rpc_calls_total', 'getSlot')) > blocks + 3,
    )
    expect(await cursor()).toBe(head)
    const session = await stack.createSession()
    const { slot } = await payInNext(session)
    await stack.caughtUp()
    expect(await idAt(slot - 1)).toBe(`${await idAt(head)}+30`)
    await expectPaidOnce(session)
    expect(await failures()).toBe(before)
  })

  test.each([
    ['one provider', ['first']],
    ['two', ['first', 'second']],
  ] as const)(
    '-32004 for every missing block, at %s: skipped slots are distinguished from future ones',
    async (_, ambiguous) => {
      if (ambiguous.length === 1) await lie('second', { down: true })
      for (const face of ambiguous) await lie(face, { ambiguous: true })
      await hideNewBlocks()
      const [one, other] = [await stack.createSession(), await stack.createSession()]
      await payInNext(one)
      await skip(5)
      await payInNext(other)
      // Deep enough that the skipped slots are final, where an honest node answers otherwise.
      await stack.mine(deeperThanHead)
      await showNewBlocks()
      await stack.caughtUp()
      await expectPaidOnce(one, other)
    },
  )

  test('-32009 from long-term storage is no proof of a skipped slot, and no obstacle', async () => {
    await bothLie({ longTermStorage: true })
    await hideNewBlocks()
    const session = await stack.createSession()
    await skip(4)
    await payInNext(session)
    await stack.mine(finalAfter)
    await showNewBlocks()
    await stack.caughtUp()
    await expectPaidOnce(session)
  })
})

describe('a block that a provider does not have', () => {
  test.each([
    ['does not show', 'hide'],
    ['has no status of yet (-32014)', 'statusNotYet'],
  ])('and that the first %s is read at the second: it is never taken for skipped', async (_, flag) => {
    const session = await stack.createSession()
    const slot = await openSlot()
    await lie('first', { [flag]: [slot] })
    await payInNext(session)
    await stack.mine()
    await stack.caughtUp()
    expect(await idAt(slot)).not.toContain('+')
    await expectPaidOnce(session)
  })

  test.each([
    ['hide', 'hide', /was not skipped: the next block is built on/],
    ['have no status of yet', 'statusNotYet', /lists slot \d+ and does not give its block/],
  ])('and that all %s: the chain waits below it, reports it, and goes on', async (_, flag, why) => {
    await stack.caughtUp()
    const session = await stack.createSession()
    const slot = await openSlot()
    await bothLie({ [flag]: [slot] })
    await payInNext(session)
    await stack.mine(2)
    await expectWaitsBelow(slot, why)
    expect((await stack.session(session.id)).payments).toEqual([])
    await honest()
    await expectPaidOnce(session)
  })

  test('because it is pruned: the other provider is queried; pruned at both, the chain waits, reports it, and goes on', async () => {
    await hideNewBlocks()
    const [one, other] = [await stack.createSession(), await stack.createSession()]
    const { slot } = await payInNext(one)
    await skip(2)
    await payInNext(other)
    await stack.mine(deeperThanHead)
    await bothLie({ pruneBelow: await openSlot(), lagBlocks: 0 })
    await expectWaitsBelow(slot, /cleaned up|does not exist on node/)
    await lie('second', { pruneBelow: 0 })
    await stack.caughtUp()
    await expectPaidOnce(one, other)
  })

  test('because of an unknown transaction version (-32015): the other provider is queried; at both, the chain waits and never skips the slot', async () => {
    await stack.caughtUp()
    const [one, other] = [await stack.createSession(), await stack.createSession()]
    await lie('first', { unknownVersion: true })
    await payInNext(one)
    await expectPaidOnce(one)
    await lie('second', { unknownVersion: true })
    const { slot } = await payInNext(other)
    await stack.mine(2)
    await expectWaitsBelow(slot, /a transaction of a version above 1: it waits until this program knows it/)
    await honest()
    await expectPaidOnce(other)
  })
})

describe('a reorg of confirmed blocks', () => {
  const fork = (params: object) => control('reorg', params)

  test.each([
    ['its slots stay empty', false],
    ['its slots get other blocks', true],
  ])(
    'where %s: a seen payment is reverted, and nothing was credited; a new payment is credited once',
    async (_, sameSlots) => {
      const [session, taken] = [await stack.createSession(), await reversals()]
      await stack.mine()
      await skip(3)
      const { slot } = await payInNext(session)
      await bySeen(session)
      // The removed block follows skipped slots, and its parent is removed as well.
      await fork({ depth: 2, sameSlots })
      // As many blocks as there were slots: a shorter chain proves no reorg yet.
      await stack.mine(6)
      await waitFor(
        'reverted',
        async () => (await stack.session(session.id)).payments[0]?.status === 'reverted',
      )
      await expectNothingCredited(session)
      await stack.caughtUp()
      if (!sameSlots) expect(await idAt(slot)).toContain('+')
      await stack.pay(session)
      await stack.mine()
      await expectPaidOnce(session)
      expect([await reversals(), stack.receiver.types(session.id).includes('session.reversed')]).toEqual([
        taken,
        false,
      ])
    },
  )

  test.each([false, true])(
    'a payment that is in both forks is credited once (same slots: %s)',
    async (sameSlots) => {
      const [session, taken] = [await stack.createSession(), await reversals()]
      await payInNext(session)
      await bySeen(session)
      expect(await fork({ depth: 1, sameSlots, keep: true })).toMatchObject({ kept: [expect.any(String)] })
      await stack.mine(2)
      await waitFor('the other fork', async () =>
        (await stack.session(session.id)).payments.some(({ status }) => status === 'reverted'),
      )
      await expectPaidOnce(session)
      expect([await reversals(), stack.receiver.types(session.id).includes('session.reversed')]).toEqual([
        taken,
        false,
      ])
    },
  )

  test('a business that accepts after one confirmation is notified when a reorg reverts the payment', async () => {
    const choose = (rules: object[]) => chooseFinality(stack, rules)
    expect((await choose([{ chain: 'solana', early: { upTo: '50', confirmations: 1 } }])).status).toBe(200)
    const session = await stack.createSession({ amount: '20' })
    expect((await choose([])).status).toBe(200)
    await payInNext(session)
    await stack.sessionIs(session.id, 'paid')
    await fork({ depth: 1 })
    await stack.mine(2)
    await stack.sessionIs(session.id, 'pending')
    await stack.idle()
    await expectReversed(session)
    await stack.pay(session)
    await stack.mine(finalAfter + 2)
    await stack.sessionIs(session.id, 'paid')
    expect((await effectsOn(stack, [session.id])).get(session.id)).toMatchObject({
      detections: 1,
      credits: 1,
    })
  })

  async function expectReversed({ id }: SessionBody): Promise<void> {
    expect(stack.receiver.types(id)).toEqual(expect.arrayContaining(['session.paid', 'session.reversed']))
    expect((await effectsOn(stack, [id])).get(id)).toMatchObject({ credits: 0, detections: 0 })
  }
})

describe('a false provider, and an honest one for cross-checks', () => {
  const disagreements = () => metric(stack.processes.get('indexer'), 'cowry_provider_disagreements_total')

  const rescan = async (slot: number, ...flags: string[]) =>
    expect(
      await runCommand(
        stack,
        'rescan',
        ['solana', String(slot), String(slot), ...flags],
        solanaDevnetEnv(stack.other('solana')),
      ),
    ).toMatchObject({
      code: 0,
    })

  test('balances without owners: the other provider is queried; at both, the chain waits', async () => {
    const [one, other] = [await stack.createSession(), await stack.createSession()]
    await lie('first', { noOwner: true })
    await payInNext(one)
    await expectPaidOnce(one)
    await lie('second', { noOwner: true })
    const { slot } = await payInNext(other)
    await expectWaitsBelow(slot, /a token balance without its owner/)
    await honest()
    await expectPaidOnce(other)
  })

  test('a wrong amount is seen, reported and never credited; another payment is credited meanwhile', async () => {
    const [victim, other, before] = [
      await stack.createSession(),
      await stack.createSession(),
      await disagreements(),
    ]
    await lie('first', { amountOff: await stack.pay(victim) })
    await payInNext(other)
    await stack.mine(finalAfter + 2)
    await waitFor('the disagreement', async () => (await disagreements()) > before)
    await stack.sessionIs(other.id, 'paid')
    await expectNothingCredited(victim)
    expect(await bySeen(victim)).toMatchObject([{ status: 'seen', amount: '100.000001' }])
    expect(stack.logs()).toContain('another provider does not have this block, or not these payments')
  })

  test('a disputed payment is not credited because the honest provider stops answering', async () => {
    const victim = await stack.createSession()
    await lie('first', { amountOff: await stack.pay(victim) })
    await stack.mine(finalAfter + 2)
    // Of this payment: disputes of earlier ones are still reported.
    await waitFor('the disagreement', async () => {
      const rows = await stack.db.query(
        'select 1 from detections where subject_id = $1 and disputed_at is not null',
        [victim.id],
      )
      return rows.length > 0
    })
    const called = (name: string, ...labels: string[]) =>
      metric(stack.processes.get('indexer'), name, ...labels)
    // Requests the block, or for the chain first after a long absence.
    const errors = () => called('cowry_rpc_calls_total', '#2"', 'outcome="error"')
    await lie('second', { down: true })
    await waitFor('the maximum wait for a silent provider', async () => {
      const rows = await stack.db.query(
        "select 1 from detections where subject_id = $1 and seen_at < now() - interval '1 s'",
        [victim.id],
      )
      return rows.length > 0
    })
    const answered = await errors()
    // More than one round: the first unanswered one would credit a disputed payment.
    await waitFor(
      'unanswered requests, or the credit',
      async () =>
        (await errors()) > answered + 2 ||
        (await stack.session(victim.id)).payments[0]?.status === 'confirmed',
    )
    await stack.idle()
    await expectNothingCredited(victim)
  })

  test('when it is honest again, a rescan reverts the wrong amount, finds the right one and credits it', async () => {
    const session = await stack.createSession()
    const slot = await openSlot()
    await lie('first', { amountOff: await stack.pay(session) })
    await stack.mine()
    await bySeen(session)
    await honest()
    await stack.mine(finalAfter)
    await rescan(slot, '--revert')
    await stack.sessionIs(session.id, 'paid', 'none')
  })

  test('a payment omitted next to another payment to the same session is noticed; a rescan finds it and a payment omitted alone', async () => {
    const [withOther, alone, before] = [
      await stack.createSession(),
      await stack.createSession(),
      await disagreements(),
    ]
    const slot = await openSlot()
    await lie('first', { omit: [await stack.pay(withOther, '40'), await stack.pay(alone)] })
    await stack.pay(withOther, '60')
    await stack.mine(finalAfter + 2)
    await waitFor('the disagreement', async () => (await disagreements()) > before)
    await expectNothingCredited(withOther)
    await stack.caughtUp()
    expect((await stack.session(alone.id)).payments).toEqual([])
    await honest()
    await rescan(slot)
    await stack.sessionIs(withOther.id, 'paid')
    expect((await effectsOn(stack, [withOther.id])).get(withOther.id)).toMatchObject({
      detections: 2,
      credits: 2,
    })
    await expectPaidOnce(alone)
  })

  test('the block of a later slot: its payments are reverted with it, and credited once in their own slot', async () => {
    await stack.caughtUp()
    const [session, slot] = [await stack.createSession(), await openSlot()]
    await lie('first', { nextFor: slot })
    await skip(2)
    const paidIn = await payInNext(session)
    expect(paidIn.slot).toBe(slot + 2)
    await bySeen(session)
    await honest()
    await expectPaidOnce(session)
    expect(
      await stack.db.query(
        'select d.block_height::int as detected, t.block_height::int as moved from detections d join transfers t on t.id = d.transfer_id where d.subject_id = $1',
        [session.id],
      ),
    ).toEqual([{ detected: paidIn.slot, moved: paidIn.slot }])
  })

  test('a wrong parent: nothing is read on such a block, which is reported, and nothing is reverted', async () => {
    await stack.caughtUp()
    const session = await stack.createSession()
    const [slot, reorgs] = [
      await openSlot(),
      await metric(stack.processes.get('indexer'), 'cowry_reorgs_total'),
    ]
    await lie('first', { badParent: slot })
    await payInNext(session)
    await stack.mine(2)
    await expectWaitsBelow(slot, /the providers are on different forks at/)
    await honest()
    await expectPaidOnce(session)
    expect(await metric(stack.processes.get('indexer'), 'cowry_reorgs_total')).toBe(reorgs)
  })
})

describe.each(faces.slice(0, howMany(1, 2)))('faults of the %s of two providers', (face) => {
  test.each(providerFaults)('%s: payments are detected and credited once', async (_, fault) => {
    const sessions = [await stack.createSession(), await stack.createSession()]
    await lie(face, fault)
    for (const session of sessions) await payInNext(session)
    await skip(2)
    // The finality of a lagging provider lags as well.
    await stack.mine(lag)
    await expectPaidOnce(...sessions)
  })
})

test('a first provider with a frozen head does not hold back finality of the second', async () => {
  const session = await stack.createSession()
  await lie('first', { lagBlocks: 1 })
  await payInNext(session)
  for (let behind = 2; behind <= 3 * finalAfter; behind++) {
    await lie('first', { lagBlocks: behind })
    await stack.mine()
  }
  await stack.caughtUp()
  await stack.sessionIs(session.id, 'paid', 'none')
})
