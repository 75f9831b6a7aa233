import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { balanceOf } from '../../src/ledger/balance.ts'
import { newId } from '../../src/platform/ids.ts'
import { rpc } from '../devnets/evm.ts'
import { type CommandOutcome, runCommand } from '../support/command.ts'
import { howMany } from '../support/full.ts'
import { effectsOn, leftovers } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const amount = 5_000_000n

/** The address that the next session gets, so that it can be paid before it is watched. */
async function nextAddress(stack: Stack): Promise<Address> {
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from deposit_addresses where family = 'evm' and taken_at is null order by index limit 1",
  )
  if (!row) throw new Error('the pool is empty')
  return row.address
}

/**
 * A session that was paid in a block which the indexer had read before the session was created: missed
 * without any failure.
 */
async function missedPayment(stack: Stack): Promise<{ session: SessionBody; height: number }> {
  const address = await nextAddress(stack)
  await stack.send(address, amount)
  await stack.mine()
  const height = await stack.height()
  await stack.mine(3)
  await stack.caughtUp()
  const session = await stack.createSession({ amount: '5' })
  expect(session.address.toLowerCase()).toBe(address)
  return { session, height }
}

const paidOnce = { detections: 1, credits: 1, status: 'paid', paidEvents: 1, paidDeliveries: 1 }
const effectOn = async (stack: Stack, session: SessionBody) =>
  (await effectsOn(stack, [session.id])).get(session.id)

/** All rows that a rescan could write, after the indexer finished its work on the blocks that it read. */
async function everything(stack: Stack): Promise<Record<string, unknown[]>> {
  await waitFor('every block to be traced', async () => {
    const left = await stack.db.query('select 1 from chain_cursors where traced is distinct from covered')
    return left.length === 0
  })
  const tables = [
    'transfers',
    'detections',
    'blocks',
    'outbox',
    'session_payments',
    'pos_sessions',
    'ledger_entries',
    'ledger_postings',
    'events',
  ]
  const rows = await Promise.all(
    tables.map(
      async (table) =>
        [table, await stack.db.query(`select t::text as row from ${table} t order by 1`)] as const,
    ),
  )
  const cursor = await stack.db.query(
    'select chain, epoch, height, covered::text, traced::text, confirmed_time from chain_cursors',
  )
  return { ...Object.fromEntries(rows), cursor }
}

async function covered(stack: Stack, chain = stack.chain): Promise<string | undefined> {
  const [row] = await stack.db.query<{ covered: string }>(
    'select covered::text from chain_cursors where chain = $1',
    [chain],
  )
  return row?.covered
}

async function gauge(stack: Stack, name: string, indexer = 'indexer'): Promise<number | null> {
  const url = stack.processes.get(indexer)?.metricsUrl()
  const line =
    url && (await (await fetch(url)).text()).split('\n').find((each) => each.startsWith(`${name}{`))
  return line ? Number(line.split(' ').at(-1)) : null
}

let stack: Stack

beforeAll(async () => {
  // No process reads Polygon until the last test.
  stack = await createStack({
    chains: ['ethereum', 'polygon'],
    processes: ['api', 'worker'],
    confirmations: 2,
  })
  await stack.start('indexer')
})
afterAll(() => stack?.close())

describe('npm run cowry -- rescan', () => {
  const rescan = (...args: (string | number)[]) => runCommand(stack, 'rescan', args.map(String))

  test('finds a missed payment and credits it once; again finds nothing new and changes nothing', async () => {
    const { session, height } = await missedPayment(stack)
    expect(await stack.session(session.id)).toMatchObject({
      status: 'pending',
      amountReceived: '0',
      payments: [],
    })

    const first = await rescan('ethereum', 1, await stack.height())
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('1 new payments, 0 known ones, 0 recorded that the chain does not have')
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid.payments).toMatchObject([{ status: 'confirmed', blockHeight: height, amount: '5' }])
    await stack.idle()
    expect(await effectOn(stack, session)).toEqual(paidOnce)

    const before = await everything(stack)
    expect(before).toMatchObject({ outbox: [], detections: { length: 1 } })
    const second = await rescan('ethereum', 1, await stack.height())
    expect(second).toMatchObject({ code: 0, err: '' })
    expect(second.out).toContain('0 new payments, 1 known ones, 0 recorded that the chain does not have')
    expect(await everything(stack)).toEqual(before)
    expect(await effectOn(stack, session)).toEqual(paidOnce)
  })

  test('finds it while the indexer is down, too', async () => {
    const { session, height } = await missedPayment(stack)
    await stack.stop('indexer')
    expect(await rescan('ethereum', height, height)).toMatchObject({ code: 0, err: '' })
    await stack.sessionIs(session.id, 'paid')
    await stack.start('indexer')
    await stack.mine(2)
    await stack.caughtUp()
    await stack.idle()
    expect(await effectOn(stack, session)).toEqual(paidOnce)
  })

  test('reports a recorded payment that is not on the chain, with exit code 1, and leaves the decision to the operator', async () => {
    const session = await stack.createSession({ amount: '5' })
    const height = await stack.height()
    const txId = `0x${'fa'.repeat(32)}`
    const transferId = newId()
    await stack.db.query(
      `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount)
       select $1, chain, height, id, time, $2, 'log:0', $3, 'USDC', $4, $5, 7 from blocks where chain = 'ethereum' and height = $6 and canonical`,
      [transferId, txId, stack.devnet.usdc, `0x${'cd'.repeat(20)}`, session.address.toLowerCase(), height],
    )
    await stack.db.query(
      `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status)
       select $1, $2, id, business_id, subject_id, 'ethereum', $3, 2, 'seen' from watches where subject_id = $4`,
      [newId(), transferId, height, session.id],
    )
    const before = await everything(stack)
    const { code, out } = await rescan('ethereum', height, height)
    expect(code).toBe(1)
    expect(out).toContain(`recorded, but not on the chain: ${txId} log:0 in block ${height}`)
    expect(out).toContain('1 recorded that the chain does not have')
    expect(await everything(stack)).toEqual(before)
    // The operator decides.
    const reverted = await rescan('ethereum', height, height, '--revert')
    expect([reverted.code, reverted.out]).toEqual([0, expect.stringContaining('1 payments taken back')])
    await stack.idle()
    expect(
      await stack.db.query('select status from detections where transfer_id = $1', [transferId]),
    ).toEqual([{ status: 'reverted' }])
    expect((await stack.session(session.id)).payments).toMatchObject([{ status: 'reverted' }])
    expect(await rescan('ethereum', height, height)).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 recorded that the chain does not have'),
    })
  })

  test.each(['settles between its two steps', 'settles only after both'])(
    'a wrong amount that was credited is corrected in the ledger, where a worker %s',
    async (when) => {
      const balance = (name: 'available' | 'pending') =>
        balanceOf(stack.db, { name, businessId: stack.businessId, asset: 'ethereum:USDC' })
      const both = () => Promise.all([balance('available'), balance('pending')])
      const worker = () => stack.processes.get('worker')
      const [available = 0n, pending = 0n] = await both()
      const session = await stack.createSession({ amount: '5' })
      await worker()?.stop()
      await stack.send(session.address, amount)
      await stack.mine(3)
      await stack.caughtUp()
      const height = (await stack.height()) - 2
      // A false amount from one node, confirmed by another one.
      await stack.db.query(
        'update transfers set amount = 500000000 where block_height = $1 and to_address = $2',
        [height, session.address.toLowerCase()],
      )
      await stack.start('worker')
      await stack.sessionIs(session.id, 'paid', 'overpaid')
      // The excess is held.
      expect(await both()).toEqual([available + amount, pending + 99n * amount])

      if (when !== 'settles between its two steps') await worker()?.stop()
      expect(await rescan('ethereum', height, height, '--revert')).toMatchObject({
        code: 0,
        out: expect.stringContaining('1 found in their place'),
      })
      if (when !== 'settles between its two steps') await stack.start('worker')
      await waitFor('the true amount', async () => (await stack.session(session.id)).amountReceived === '5')
      await stack.sessionIs(session.id, 'paid')
      await stack.idle()
      expect(await both()).toEqual([available + amount, pending])
    },
  )

  describe('refuses with exit code 2, a helpful message, and nothing written', () => {
    const above = 1_000_000
    const refused: { what: string; args: (string | number)[]; message: RegExp }[] = [
      {
        what: 'no arguments',
        args: [],
        message: /<chain> is missing\nUsage: cowry rescan <chain> <from> <to>/,
      },
      {
        what: 'an unknown chain',
        args: ['dogecoin', 1, 2],
        message: /dogecoin is not configured.*Configured: ethereum/,
      },
      {
        what: 'a chain that is not configured',
        args: ['base', 1, 2],
        message: /set BASE_RPC_URLS\. Configured: ethereum/,
      },
      { what: 'no heights', args: ['ethereum'], message: /<from> is missing/ },
      { what: 'three heights', args: ['ethereum', 1, 2, 3], message: /too many arguments/ },
      { what: 'words', args: ['ethereum', 'one', 'two'], message: /give two heights/ },
      {
        what: 'a reversed range',
        args: ['ethereum', 3, 2],
        message: /The first height, 3, is above the last, 2/,
      },
      {
        what: 'heights above what was read',
        args: ['ethereum', 1, above],
        message: /was read up to \d+: choose heights at or below that/,
      },
      // Refused where 'words' are.
      { what: 'one height', args: ['ethereum', 1], message: /<to> is missing/ },
      { what: 'a negative height', args: ['ethereum', -1, 2], message: /no option -1/ },
      { what: 'half a block', args: ['ethereum', '1.5', 2], message: /give two heights/ },
      { what: 'an exponent', args: ['ethereum', '1e0', 2], message: /give two heights/ },
    ]
    test.each(refused.slice(0, howMany(8, refused.length)))('$what', async ({ args, message }) => {
      const before = await everything(stack)
      const { code, out, err } = await rescan(...args)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toMatch(message)
      expect(err).not.toMatch(/\n\s+at /)
      expect(await everything(stack)).toEqual(before)
    })

    test('no database', async () => {
      const { code, err } = await runCommand(stack, 'rescan', ['ethereum', '1', '2'], { DATABASE_URL: '' })
      expect(code).toBe(2)
      expect(err).toMatch(/DATABASE_URL is not set/)
    })
  })

  test('while an indexer follows payments and reorgs does nothing twice, and the record has no hole', async () => {
    const payments = howMany(12, 240)
    const sessions: SessionBody[] = []
    while (sessions.length < payments)
      sessions.push(
        ...(await Promise.all(Array.from({ length: 6 }, () => stack.createSession({ amount: '5' })))),
      )
    const sent = new Map<SessionBody, Hex>()
    const pay = async (session: SessionBody) =>
      void sent.set(session, await stack.send(session.address, amount))
    const isMined = (txId: Hex) =>
      stack
        .client()
        .getTransactionReceipt({ hash: txId })
        .then(
          () => true,
          () => false,
        )
    let [streaming, reorgs] = [true, 0]
    const stream = async () => {
      for (const [index, session] of sessions.entries()) {
        await pay(session)
        await stack.mine()
        if (index % 6 === 5) {
          // Deep enough to revert credited payments.
          await stack.caughtUp()
          await stack.sessionIs(sessions[index - 3]?.id ?? '', 'paid')
          await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [4, []])
          await stack.mine()
          reorgs++
        }
      }
      // Payments that the forks dropped are sent again.
      for (const [session, txId] of [...sent]) {
        if (await isMined(txId)) continue
        await pay(session)
        await stack.mine()
      }
      await stack.mine(2)
      await stack.caughtUp()
      streaming = false
    }
    const outcomes: CommandOutcome[] = []
    const rescans = async () => {
      while (streaming) outcomes.push(await rescan('ethereum', 1, await cursor()))
      const last = await rescan('ethereum', 1, await cursor())
      outcomes.push(last)
      return last.code
    }
    const cursor = async () => {
      const [row] = await stack.db.query<{ height: string }>(
        'select height from chain_cursors where chain = $1',
        [stack.chain],
      )
      return Number(row?.height)
    }
    const [, ...lastCodes] = await Promise.all([stream(), rescans(), rescans(), rescans()])

    // A fork during a rescan is reported and nothing is written; the operator may run it again.
    for (const { code, err } of outcomes)
      if (code !== 0) expect(err).toMatch(/the chain forked|above what was read|was read up to/)
    expect(lastCodes).toEqual([0, 0, 0])
    expect(outcomes.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(3)
    expect(reorgs).toBe(payments / 6)
    for (const session of sessions) await stack.sessionIs(session.id, 'paid')
    await stack.idle()
    const effects = await effectsOn(
      stack,
      sessions.map(({ id }) => id),
    )
    for (const session of sessions)
      expect(effects.get(session.id)).toMatchObject({ detections: 1, credits: 1, status: 'paid' })
    expect(await leftovers(stack)).toEqual({ outbox: 0, pendingDeliveries: 0, unsettled: 0 })
    expect(await covered(stack)).toBe(`{[1,${(await stack.height()) + 1})}`)
    const [taken] = await stack.db.query<{ taken: number }>(
      "select count(*)::int as taken from ledger_entries where kind = 'deposit.reverted'",
    )
    process.stdout.write(
      `\n${outcomes.length} rescans during ${payments} payments and ${reorgs} reorgs, which reverted ${taken?.taken} credits; ${outcomes.filter(({ code }) => code !== 0).length} rescans met a fork\n`,
    )
    expect(taken?.taken).toBeGreaterThan(0)
  })

  test('a hole in the record is found when the indexer starts, and a payment in it is credited once', async () => {
    const { session, height } = await missedPayment(stack)
    await stack.mine(3)
    await stack.caughtUp()
    await stack.stop('indexer')
    await stack.db.query('update chain_cursors set covered = covered - int8multirange(int8range($1, $2))', [
      height - 1,
      height + 2,
    ])
    expect(await covered(stack)).toMatch(/,\d+\),\[/)

    await stack.start('indexer')
    await stack.sessionIs(session.id, 'paid')
    await waitFor('no gap', async () => (await gauge(stack, 'cowry_chain_gap_blocks')) === 0)
    expect(await covered(stack)).toBe(`{[1,${(await stack.height()) + 1})}`)
    expect(await gauge(stack, 'cowry_chain_covered_blocks')).toBe(await stack.height())
    expect(stack.logs()).toContain('blocks that were never read; reading them now')
    await stack.idle()
    expect(await effectOn(stack, session)).toEqual(paidOnce)
  })

  test('a hole is found while the indexer runs, too', async () => {
    const { session, height } = await missedPayment(stack)
    await stack.db.query('update chain_cursors set covered = covered - int8multirange(int8range($1, $2))', [
      height,
      height + 1,
    ])
    await stack.sessionIs(session.id, 'paid')
    await waitFor(
      'a whole record',
      async () => (await covered(stack)) === `{[1,${(await stack.height()) + 1})}`,
    )
    await stack.idle()
    expect(await effectOn(stack, session)).toEqual(paidOnce)
  })
})

describe('a start block configured below the first read one', () => {
  const chain = 'polygon'

  test('is read when the indexer starts: payments there are credited once', async () => {
    const session = await stack.createSession({ chain, amount: '5' })
    await stack.send(session.address, amount, { chain })
    await stack.mine(40, chain)
    const head = await stack.height(chain)
    await stack.start('indexer-polygon', { POLYGON_START_BLOCK: '' })
    // The indexer starts at the head that it sees; blocks mined before that would be below its start.
    await waitFor('a start', async () => (await covered(stack, chain))?.startsWith('{[') ?? false)
    await stack.mine(3, chain)
    await stack.caughtUp(undefined, chain)
    expect(await covered(stack, chain)).toBe(`{[${head},${head + 4})}`)
    expect(await gauge(stack, 'cowry_chain_gap_blocks', 'indexer-polygon')).toBe(0)
    expect(await stack.session(session.id)).toMatchObject({ status: 'pending', payments: [] })

    await stack.stop('indexer-polygon')
    await stack.start('indexer-polygon', { POLYGON_START_BLOCK: '1' })
    await stack.sessionIs(session.id, 'paid')
    await waitFor('all of it', async () => (await covered(stack, chain)) === `{[1,${head + 4})}`)
    expect(await gauge(stack, 'cowry_chain_gap_blocks', 'indexer-polygon')).toBe(0)
    await stack.idle()
    expect(await effectOn(stack, session)).toEqual(paidOnce)
  })
})
