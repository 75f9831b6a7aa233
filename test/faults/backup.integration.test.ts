import { renameSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, formatUnits, getAddress, parseAbiItem } from 'viem'
import { createMigrator } from '../../migrations/migrator.ts'
import { ensureDatabase } from '../../scripts/local/postgres.ts'
import { recordCheck } from '../../src/backup/recordCheck.ts'
import { multicallAddress } from '../../src/chains/evm/multicall.ts'
import { type Chain, knownChain } from '../../src/chains/registry.ts'
import { platformAccount } from '../../src/ledger/account.ts'
import { adjusted } from '../../src/ledger/entries.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { type ModelDb, openModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { pause } from '../../src/platform/wait.ts'
import { putMulticall } from '../support/answeringContract.ts'
import { heldOn, transactionOn } from '../support/chainBooks.ts'
import { runCommand, runScript } from '../support/command.ts'
import { addPerson, type Person } from '../support/dashboardSession.ts'
import { createTestDatabase } from '../support/database.ts'
import { howMany } from '../support/full.ts'
import { effectsOn } from '../support/outcome.ts'
import { newPayer } from '../support/payers.ts'
import { storedOutflow } from '../support/paying.ts'
import { type Archived, type Copy, startArchived } from '../support/pgBackRest.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { newPair, type Pair, sendFromWallet, walletOf } from './sending.ts'

/*
 * Postgres archives its log with pgBackRest, with the configuration and the scripts of its image. Under
 * payments, transfers and payouts it is backed up, lost, and restored to a moment in the middle.
 */

const ether = 10n ** 18n
const paid = 5_000_000n
const sent = 2_500_000n
const paidOut = 1_000_000n
const programs = ['api', 'worker', 'indexer', 'treasury'] as const
const longMs = howMany(60_000, 300_000)
const print = (text: string) => void process.stderr.write(`${text}\n`)

let archived: Archived
let db: ModelDb
let stack: Stack
let operators: [Person, Person]

beforeAll(async () => {
  // A second in place of a minute.
  archived = await startArchived(['archive_timeout=1'])
  const url = await ensureDatabase(archived.server, 'cowry')
  db = openModelDb(url, 5)
  await createMigrator(db).up()
  // A commit that was answered is in the log.
  await db.query('alter database cowry set synchronous_commit = on')
  stack = await createStack({
    database: { url, db, drop: () => db.close().catch(() => {}) },
    separate: true,
    env: { POOL_TARGET: '150', POOL_LOW_WATER: '40' },
  })
  operators = [await addPerson(stack, { operator: true }), await addPerson(stack, { operator: true })]
  await fundTreasury()
}, 120_000)
afterAll(async () => {
  await stack?.close()
  await archived?.close()
})

const treasuryOf = async (): Promise<Address> =>
  (await db.query<{ address: Address }>("select address from treasury_addresses where family = 'evm'"))[0]
    ?.address ?? '0x'
const treasury = (symbol: string) => platformAccount('treasury:ethereum', tokenAsset('ethereum', symbol))
const capital = (symbol: string) => platformAccount('capital', tokenAsset('ethereum', symbol))
type Account = Parameters<typeof adjusted>[0]['debit']
/** As two operators book it. */
const adjust = (debit: Account, credit: Account, amount: bigint) =>
  db.tx((tx) =>
    post(tx, [adjusted({ cause: { kind: 'adjustment', id: newId() }, step: 1, debit, credit, amount })]),
  )
const available = (): Account => ({ name: 'available', businessId: stack.businessId, asset: 'ethereum:USDC' })

async function fundTreasury(): Promise<void> {
  const address = await waitFor('the treasury', async () => (await treasuryOf()) !== '0x' && treasuryOf())
  await stack.sendNative(address, ether)
  await stack.send(address, 100_000_000n)
  await stack.mine(3)
  await adjust(treasury('ETH'), capital('ETH'), ether)
  await adjust(treasury('USDC'), capital('USDC'), 100_000_000n)
  await adjust(capital('USDC'), available(), 100_000_000n)
}

const check = (
  copy: Pick<Copy, 'url'> | { url(database: string): string },
  env: Record<string, string> = {},
  ...words: string[]
) =>
  runScript('backup', ['check', ...words], () => ({
    DATABASE_URL: stack.databaseUrl,
    RESTORED_DATABASE_URL: copy.url('cowry'),
    APP_KEY: appKey,
    ...env,
  }))
const age = (name: 'archive' | 'check') =>
  metric(stack.processes.get('worker'), `cowry_backup_${name}_age_seconds`)
const labels = async () =>
  [...(await archived.run('pgbackrest', ['info'])).matchAll(/(\w+) backup: (\S+)/g)].map(([, kind]) => kind)

test('the schedule: a full backup each week, a differential one each day, and nothing between', async () => {
  await archived.run('backup.sh', ['once'])
  await archived.run('backup.sh', ['once'])
  await archived.run('backup.sh', ['once'], { later: '22 hours' })
  expect(await labels()).toEqual(['full'])
  await archived.run('backup.sh', ['once'], { later: '25 hours' })
  expect(await labels()).toEqual(['full', 'diff'])
})

test('the archive is as old as the last segment that it got, and ages where it takes no segment', async () => {
  const away = `${archived.repository}.away`
  await waitFor('the archive to be young', async () => (await age('archive')) < 2)
  renameSync(archived.repository, away)
  try {
    await waitFor('its age', async () => (await age('archive')) > 4)
  } finally {
    renameSync(away, archived.repository)
  }
  await waitFor('the archive to be young again', async () => (await age('archive')) < 2, 90_000)
})

test('a restored copy is checked next to the running database, which records it: damaged books, another key and another database are faults', async () => {
  await stack.createSession()
  const copy = await archived.restored()
  const sound = await check(copy)
  expect([sound.code, sound.err, sound.out]).toEqual([
    0,
    '',
    expect.stringMatching(/^restored to .*, \d+ s ago, with \d+ entries of the ledger\nsound\n$/),
  ])

  expect(await check(copy, { APP_KEY: Buffer.alloc(32, 99).toString('base64') })).toMatchObject({
    code: 1,
    out: expect.stringContaining('cannot be opened with this APP_KEY'),
  })
  const other = openModelDb(copy.url('cowry'), 1)
  await other.query('set session_replication_role = replica')
  await other.query('update ledger_balances set balance = balance + 1')
  await other.query('delete from migrations where name = (select max(name) from migrations)')
  // As where the daily backups have failed for nine days.
  await other.query(
    `do $$ begin execute format('copy (select %L) to %L',
       'START TIME: ' || to_char(now() - interval '9 days 1 hour', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', current_setting('data_directory') || '/backup_label.old');
     end $$`,
  )
  await other.query('update seeds set id = $1', [newId()])
  await other.query(
    'insert into database_identity (identity) values (present_identity()) on conflict (one) do update set identity = excluded.identity',
  )
  await other.close()
  const damaged = await check(copy)
  expect([damaged.code, damaged.out]).toEqual([
    1,
    expect.stringMatching(
      /^fault: not migrated: .*^fault: its backup began 9 days before.*^fault: its seed is not .*^fault: balance .*^The copy does not count as restored.*^not sound: \d+ faults\n$/ms,
    ),
  ])
  const rows = await db.query('select cardinality(faults) > 0 as faulty from backup_checks order by id')
  expect(rows).toEqual([{ faulty: false }, { faulty: true }, { faulty: true }])

  expect(await check(archived.server)).toMatchObject({
    code: 2,
    err: expect.stringContaining('leads to the running database itself'),
  })
  // A copy that does not know its moment: what the operator knows.
  await db.query('delete from backup_checks')
  const template = await createTestDatabase(1)
  const clone = { url: () => template.url }
  expect(await check(clone)).toMatchObject({ code: 2, err: expect.stringContaining('add --to <time>') })
  expect(await check(clone, {}, '--to', '2026-01-02T03:04:05Z')).toMatchObject({
    code: 1,
    out: expect.stringContaining('fault: its seed is not'),
  })
  await template.drop()
  const none = await age('check')
  expect(none > 0 && none < 3600).toBe(true)
  await recordCheck(db, { restoredTo: new Date(Date.now() - 86_400_000), faults: [] })
  await recordCheck(db, { restoredTo: new Date(), faults: ['a fault'] })
  await waitFor('the age of the sound one', async () => Math.round((await age('check')) / 86_400) === 1)
  await copy.stop()
})

interface Left {
  id: string
  address: Address
  amount: bigint
  /** When its answer came. */
  at: number
}

/** Payments, transfers and payouts, each to an address of its own, until it ends. */
async function startLoad() {
  const wallets: { pair: Pair; walletId: string }[] = []
  for (let n = 0; n < 2; n++) {
    const pair = await newPair(stack, 'ethereum')
    await stack.send(pair.from.address as Address, 1_000_000_000n)
    await stack.mine()
    wallets.push({ pair, walletId: await walletOf(stack, pair) })
  }
  const made = {
    sessions: [] as (SessionBody & { at: number })[],
    transfers: [] as Left[],
    payouts: [] as Left[],
  }
  const ending = new AbortController()
  const recipient = () => newPayer('ethereum').address.toLowerCase() as Address
  const works = [
    async () => {
      const session = await stack.createSession({ amount: '5' })
      made.sessions.push({ ...session, at: Date.now() })
      await stack.send(session.address, paid)
      await stack.mine()
    },
    async () => {
      const { pair, walletId } = wallets[made.transfers.length % wallets.length] as (typeof wallets)[number]
      const address = recipient()
      const answer = await sendFromWallet(stack, { ...pair, to: address }, walletId)
      expect(answer).toMatchObject({ status: 202 })
      made.transfers.push({ id: answer.body.id, address, amount: sent, at: Date.now() })
    },
    async () => {
      const address = recipient()
      const chain = knownChain('ethereum') as Chain
      const { id } = await storedOutflow(
        { db, businessId: stack.businessId, chain },
        { token: 'USDC', amount: paidOut, address },
      )
      made.payouts.push({ id, address, amount: paidOut, at: Date.now() })
    },
  ]
  const running = Promise.all(
    works.map(async (work, n) => {
      while (!ending.signal.aborted) {
        await work()
        // Each that has left is ended by hand, by commands that take a second.
        await pause(n === 0 ? 150 : 700, ending.signal)
      }
    }),
  )
  return {
    ...made,
    /** Waits until this many more of each were made. @throws what made the load fail */
    async more(count: number) {
      const counts = () => [made.sessions, made.transfers, made.payouts].map(({ length }) => length)
      const before = counts()
      await Promise.race([
        waitFor(
          'more load',
          async () => counts().every((each, n) => each >= (before[n] ?? 0) + count),
          longMs,
        ),
        running,
      ])
    },
    async end() {
      ending.abort()
      await running
    },
  }
}

const heldBy = ({ address }: Left) => heldOn(stack, 'ethereum', 'usdc', address)
/** The transaction that paid an address, by the chain alone. */
async function transactionTo(address: Address): Promise<string> {
  const [log] = await stack.client().getLogs({
    address: stack.devnet.usdc as Address,
    event: transferEvent,
    args: { to: address },
    fromBlock: 1n,
  })
  return log?.transactionHash ?? ''
}
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Of these, the cost of sending them, by the chain. */
async function costOf(those: readonly Left[]): Promise<bigint> {
  const found = await Promise.all(
    those.map(async ({ address }) => transactionOn(stack, 'ethereum', await transactionTo(address))),
  )
  return found.reduce((sum, { fee }) => sum + fee, 0n)
}

/**
 * The chain goes on meanwhile: where no block comes the indexer stands still, and nothing is compared.
 * @returns the command's output
 */
async function reconcile(): Promise<string> {
  await stack.caughtUp()
  const mining = setInterval(() => void stack.mine(1), 1000)
  try {
    return await waitFor('the comparison', async () => {
      const { out, err } = await runCommand(stack, 'reconcile', ['ethereum'])
      return !/another process compares|does not read the chain/.test(err + out) && out
    })
  } finally {
    clearInterval(mining)
  }
}

test('restored to a moment in the middle of load: what is to leave waits, is reconciled with the chain, and leaves once; no answered session of before is lost', async () => {
  const load = await startLoad()
  const count = howMany(4, 60)
  await load.more(count)
  // A backup in the middle, and the log since.
  await archived.run('backup.sh', ['once'], { later: '25 hours' })
  // It serves moments after the second in which it ended.
  const ended = Date.now()
  await waitFor('the next second', async () => Date.now() > ended + 1000)

  // At the moment that is restored some wait for a signature: they leave afterwards, and the copy does not
  // know it.
  await stack.stop('treasury')
  await load.more(1)
  const [{ at: moment } = { at: new Date() }] = await db.query<{ at: Date }>('select clock_timestamp() as at')
  await stack.start('treasury')
  await load.more(count)
  await load.end()
  const late = [...load.transfers, ...load.payouts].filter(({ at }) => at > moment.getTime()).slice(0, 4)
  await waitFor('some that were made after the moment to leave', async () => {
    await stack.mine()
    return (await Promise.all(late.map(heldBy))).every((held) => held > 0n)
  })
  const [{ at: end } = { at: new Date() }] = await db.query<{ at: Date }>('select clock_timestamp() as at')
  await waitFor(
    'the log of all that',
    async () =>
      (await db.query('select 1 from pg_stat_archiver where last_archived_time > $1', [end])).length > 0,
  )

  // The server is lost with its data.
  for (const name of programs) await stack.stop(name)
  const held = async () =>
    Promise.all(
      [...load.transfers, ...load.payouts].map(async (each) => [each.id, await heldBy(each)] as const),
    )
  await archived.lose()
  await stack.mine(3)
  const whenLost = await held()
  const target = moment.toISOString().replace('T', ' ').replace('Z', '+00')
  const lostAt = performance.now()
  await archived.run('restore.sh', [], { moment: target })
  await archived.startAgain()
  const restoredMs = performance.now() - lostAt
  // A pool may hold connections of the lost server.
  await waitFor('the database', () => db.query('select 1').catch(() => false))

  const rows = new Set((await db.query<{ id: string }>('select id from pos_sessions')).map(({ id }) => id))
  const [kept, gone] = [
    load.sessions.filter(({ id }) => rows.has(id)),
    load.sessions.filter(({ id }) => !rows.has(id)),
  ]
  expect(gone.filter(({ at }) => at < moment.getTime())).toEqual([])
  expect([kept.length >= count, gone.length > 0]).toEqual([true, true])
  const lost = async (table: 'intents' | 'outflows', of: readonly Left[]) => {
    const found = new Set((await db.query<{ id: string }>(`select id from ${table}`)).map(({ id }) => id))
    return of.filter(({ id }) => !found.has(id))
  }
  const lostPayouts = await lost('outflows', load.payouts)
  const lostRows = [...(await lost('intents', load.transfers)), ...lostPayouts]
  expect(lostRows.filter(({ at }) => at < moment.getTime())).toEqual([])
  expect(lostRows.length).toBeGreaterThan(1)

  // The runbook: everything starts, and nothing leaves.
  for (const name of programs) await stack.start(name)
  const pair = await newPair(stack, 'ethereum')
  const walletId = await walletOf(stack, pair)
  expect(await sendFromWallet(stack, pair, walletId)).toMatchObject({
    status: 503,
    body: { error: 'outgoing_restored' },
  })
  await waitFor(
    'sessions to be made',
    async () =>
      (await stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '5' })).status ===
      201,
  )
  const servingMs = performance.now() - lostAt
  await stack.mine(3)
  await stack.caughtUp()
  for (const { id } of kept) await stack.sessionIs(id, 'paid')
  expect(await held()).toEqual(whenLost)

  const intents = (...words: string[]) => runCommand(stack, 'intents', words)
  const payouts = (...words: string[]) =>
    runScript('payouts', words, () => ({ DATABASE_URL: stack.databaseUrl, APP_KEY: appKey }))
  const left = new Map(whenLost)
  const listed = async (of: typeof intents | typeof payouts): Promise<string[]> =>
    (await of('restored')).out.match(/^[0-9a-f-]{36}(?= )/gm) ?? []
  const unsigned = () =>
    db.query<{ id: string; purpose: string }>(
      "select id, purpose from intents where status = 'created' order by id",
    )
  /** Two operators end a payout that is not signed here: what is ends by the chain's report alone. */
  const endedUnsigned = (id: string, address: Left['address']) =>
    waitFor(`the end of payout ${id}`, async () => {
      const [row] = await db.query<{ revision: number; intent: string | null }>(
        'select o.revision, i.status as intent from outflows o left join intents i on i.id = o.intent_id where o.id = $1',
        [id],
      )
      if (row?.intent !== null && row?.intent !== 'created') return { isEnded: false }
      const words = [
        ...['--tx', await transactionTo(address), '--evidence', `block explorer, ${address}`],
        ...['--revision', String(row?.revision)],
      ]
      const proposed = await payouts('end', id, 'completed', '--operator', operators[0].email, ...words)
      const proposal = /approve-end (\S+) /.exec(proposed.out)?.[1] ?? ''
      const approved = await payouts('approve-end', proposal, '--operator', operators[1].email)
      // A worker may have planned it between the two: they propose it again.
      if (/has changed since/.test(`${proposed.err}${approved.err}`)) return null
      expect([proposed, approved]).toMatchObject([
        { code: 0, err: '' },
        { code: 0, err: '' },
      ])
      return { isEnded: true }
    })
  const endedByHand: Left[] = []
  let givenUp = 0
  for (const id of await listed(payouts)) {
    const payout = load.payouts.find((each) => each.id === id)
    if (!payout || !left.get(id)) continue
    if ((await endedUnsigned(id, payout.address)).isEnded) endedByHand.push(payout)
  }
  const open = await listed(intents)
  for (const { id } of await unsigned())
    if (open.includes(id) && left.get(id)) {
      expect(await intents('give-up', id)).toMatchObject({ code: 0 })
      givenUp++
    }
  expect([endedByHand.length > 0, givenUp > 0]).toEqual([true, true])
  expect(await intents('reconciled')).toMatchObject({ code: 0 })
  const sendingMs = performance.now() - lostAt

  // What had not left leaves now; what had left does not leave again.
  const missing = new Set(lostRows.map(({ id }) => id))
  const all = [...load.transfers, ...load.payouts]
  await waitFor(
    'the end of everything that the database knows',
    async () => {
      await stack.mine()
      const [row] = await db.query<{ open: number }>(
        `select (select count(*) from intents where next_reconcile_at is not null)::int
           + (select count(*) from outflows where status not in ('completed', 'failed'))::int as open`,
      )
      return row?.open === 0
    },
    120_000,
  )
  for (const each of all)
    expect([each.id, await heldBy(each)]).toEqual([
      each.id,
      missing.has(each.id) ? (left.get(each.id) ?? 0n) : each.amount,
    ])
  const { usdc } = stack.devnet
  const logs = await stack.client().getLogs({
    address: usdc as Address,
    event: transferEvent,
    args: { to: all.map(({ address }) => address) },
    fromBlock: 1n,
  })
  expect(new Set(logs.map(({ args }) => args.to)).size).toBe(logs.length)
  const effects = await effectsOn(
    stack,
    kept.map(({ id }) => id),
  )
  for (const { id } of kept)
    expect(effects.get(id)).toMatchObject({ detections: 1, credits: 1, status: 'paid' })

  // The comparison names exactly what the database lost: payouts with their costs, costs of those ended by
  // hand, and payments to lost sessions.
  const lostAndLeft = lostPayouts.filter(({ id }) => left.get(id))
  const account = await treasuryOf()
  const costs = await costOf([...lostAndLeft, ...endedByHand])
  const [usdcHeld, ethHeld] = [
    await heldOn(stack, 'ethereum', 'usdc', account),
    await heldOn(stack, 'ethereum', 'native', account),
  ]
  const line = (address: string, books: bigint, chain: bigint, symbol: 'USDC' | 'ETH') =>
    `${getAddress(address)}: the books say ${formatUnits(books, symbol === 'ETH' ? 18 : 6)} ${symbol}, the chain has ${formatUnits(chain, symbol === 'ETH' ? 18 : 6)} ${symbol}`
  await putMulticall(stack.devnet.rpcUrl, multicallAddress)
  const [summary, ...differences] = (await reconcile()).trimEnd().split('\n').reverse()
  expect(differences.sort()).toEqual(
    [
      ...(lostAndLeft.length === 0
        ? []
        : [line(account, usdcHeld + BigInt(lostAndLeft.length) * paidOut, usdcHeld, 'USDC')]),
      line(account, ethHeld + costs, ethHeld, 'ETH'),
      ...gone.map(({ address }) => line(address, 0n, paid, 'USDC')),
    ].sort(),
  )
  expect(summary).toContain(`${differences.length} differences`)

  print(
    `restored in ${Math.round(restoredMs)} ms, sessions answered after ${Math.round(servingMs)} ms, sending after ${Math.round(sendingMs)} ms; ` +
      `${kept.length} sessions kept and ${gone.length} lost, ${givenUp} transfers and ${endedByHand.length} payouts had left`,
  )
}, 400_000)
