import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { urlAs } from '../../test/support/template.ts'
import { type Db, openDb, type Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { closeLedger, verifyLedger } from './closeLedger.ts'
import { closeWhenDue } from './closeWhenDue.ts'
import type { LedgerDrift } from './drift.ts'
import { type Entry, tokenAsset } from './entry.ts'
import { post } from './post.ts'
import { readCloses, readDrifts } from './readCloses.ts'

let database: TestDatabase
let db: Db
let businessId: string

beforeAll(async () => {
  database = await createTestDatabase(8)
  db = database.db
  await compared('ethereum')
})
afterAll(() => database?.drop())

beforeEach(async () => {
  businessId = newId()
  await insertBusiness(db, businessId)
})

const asset = tokenAsset('ethereum', 'USDC')
const credit = (amount: bigint): Entry => ({
  kind: 'test',
  businessId,
  cause: { kind: 'adjustment', id: newId() },
  step: 1,
  postings: [
    { account: { name: 'deposits:ethereum', businessId: null, asset }, amount },
    { account: { name: 'available', businessId, asset }, amount: -amount },
  ],
})
const write = (...amounts: bigint[]) => db.tx((tx) => post(tx, amounts.map(credit)))

/** A check of the chain that has ended. */
async function compared(
  chain: string,
  drift: readonly { address: string | null; expected: number; found: number }[] = [],
  height: number | null = null,
) {
  const [check] = await db.query<{ id: string; endedAt: Date }>(
    `insert into chain_checks (chain, ended_at, addresses, drifts, height) values ($1, clock_timestamp(), 3, $2, $3) returning id, ended_at as "endedAt"`,
    [chain, drift.length, height],
  )
  for (const [number, { address, expected, found }] of drift.entries())
    await db.query(
      "insert into chain_drifts (check_id, number, address, symbol, expected, found) values ($1, $2, $3, 'USDC', $4, $5)",
      [check?.id, number, address, expected, found],
    )
  return check
}

const close = async () => {
  const closed = await closeLedger({ db }, 'now')
  if (!closed) throw new Error('another close runs')
  return closed
}

describe('a close', () => {
  test('chains the entries since the last one, in the order of their ids, and finds no difference', async () => {
    const before = (await close()).close
    const ids = [...(await write(1n, 2n, 3n)), ...(await write(4n))]
    const { close: first, drifts } = await close()
    expect(drifts).toEqual([])
    expect(first).toMatchObject({ entries: 4, lastPosition: before.lastPosition + 4n, drifts: 0 })
    const links = await db.query<{ entryId: string; hash: string }>(
      `select entry_id as "entryId", encode(hash, 'hex') as hash from ledger_links where position > $1 order by position`,
      [before.lastPosition.toString()],
    )
    expect(links.map(({ entryId }) => entryId)).toEqual(ids.toSorted())
    expect(links.at(-1)?.hash).toBe(first.lastHash)
    expect((await close()).close).toMatchObject({ entries: 0, lastHash: first.lastHash, drifts: 0 })
    expect((await readCloses(db, 2)).map(({ lastHash }) => lastHash)).toEqual([
      first.lastHash,
      first.lastHash,
    ])
  })

  test('leaves an entry that is not committed to the next close, also one with a lower id', async () => {
    let late: string[] = []
    let soon: string[] = []
    await db.tx(async (tx) => {
      late = await post(tx, [credit(1n)])
      soon = await db.tx((other) =>
        post(
          other,
          [credit(2n)].map((entry) => ({ ...entry, postings: ofAnother(entry) })),
        ),
      )
      expect((await close()).close).toMatchObject({ entries: 1, drifts: 0 })
    })
    expect(late[0] && soon[0] && late[0] < soon[0]).toBe(true)
    expect((await close()).close).toMatchObject({ entries: 1, drifts: 0 })
    const [position] = await db.query(
      'select (select position from ledger_links where entry_id = $1) > (select position from ledger_links where entry_id = $2) as later',
      [late[0], soon[0]],
    )
    expect(position).toEqual({ later: true })
  })
  /** Without the business's account, which the open transaction has locked. */
  const ofAnother = (entry: Entry) =>
    entry.postings.map(({ account, amount }) => ({
      account: {
        ...account,
        ...(account.businessId === null ? {} : { name: 'fees', businessId: null }),
      } as typeof account,
      amount,
    }))

  test('is one at a time', async () => {
    await db.tx(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtext('cowry-ledger-close'))")
      expect(await closeLedger({ db }, 'now')).toBeNull()
    })
    await close()
  })

  test('is due a day after the last one, once for any number of workers', async () => {
    await close()
    expect(await closeLedger({ db }, 'due')).toBeNull()
    await asSuperuser((tx) => tx.query("update ledger_closes set ended_at = ended_at - interval '1 day'"))
    const [before] = await readCloses(db, 1)
    const ctx = { db, log: createLog('test', 'silent'), stopping: new AbortController().signal }
    await Promise.all(Array.from({ length: 6 }, () => closeWhenDue(ctx)))
    await closeWhenDue(ctx)
    const closes = await readCloses(db, 3)
    expect(closes.findIndex(({ id }) => id === before?.id)).toBe(1)
  })

  test('stops with its worker, and leaves nothing behind', async () => {
    await write(1n)
    const before = await readCloses(db, 1)
    await expect(closeLedger({ db, stopping: AbortSignal.abort() }, 'now')).rejects.toThrow()
    expect(await readCloses(db, 1)).toEqual(before)
    expect((await close()).close.entries).toBe(1)
  })
})

describe('the chains of a close', () => {
  const last = async () => {
    const { close: closed, drifts } = await close()
    expect((await readCloses(db, 1))[0]).toEqual(closed)
    expect(await readDrifts(db, closed.id)).toEqual(drifts)
    expect(closed.drifts).toBe(drifts.length)
    return { closed, drifts, of: (chain: string) => closed.chains.find((each) => each.chain === chain) }
  }
  const daysAgo = (table: string, hours: number) =>
    asSuperuser((tx) => tx.query(`update ${table} set ended_at = ended_at - $1 * interval '1 hour'`, [hours]))

  test('have the result of their last comparison, with each difference; entries are chained all the same', async () => {
    const first = await compared('polygon', [], 77)
    expect((await last()).of('polygon')).toEqual({
      chain: 'polygon',
      checkId: first?.id,
      checkedAt: first?.endedAt,
      height: 77n,
      drifts: 0,
      isOverdue: false,
    })
    const address = `0x${'ab'.repeat(20)}`
    await compared('polygon', [
      { address, expected: 5, found: 7 },
      { address: null, expected: 1, found: 0 },
    ])
    // One that runs, and one that could not compare, have no result.
    await db.query(
      "insert into chain_checks (chain, ended_at, problem) values ('polygon', now(), 'no node answers'), ('polygon', null, null)",
    )
    await write(1n)
    const found = await last()
    expect(found.of('polygon')).toMatchObject({ height: null, drifts: 2 })
    expect(found.drifts).toEqual([
      { kind: 'chain', accountId: null, subject: `polygon:USDC at ${address}`, expected: '5', found: '7' },
      {
        kind: 'chain',
        accountId: null,
        subject: 'polygon:USDC without an address',
        expected: '1',
        found: '0',
      },
    ])
    expect(found.closed.entries).toBe(1)
    await compared('polygon')
    expect((await last()).drifts).toEqual([])
  })

  test('are overdue where the books have money and no comparison was made since the close of the day before', async () => {
    await write(1n)
    await daysAgo('ledger_closes', 24)
    // A comparison of shortly before that close is enough: both have hours of their own.
    await daysAgo('chain_checks', 29)
    expect((await last()).drifts).toEqual([])
    await daysAgo('chain_checks', 2)
    const overdue = await last()
    expect(overdue.drifts).toMatchObject([
      {
        kind: 'chain_overdue',
        subject: 'ethereum',
        expected: 'a comparison since the close before',
        found: expect.stringMatching(/^the last at /),
      },
    ])
    expect([overdue.of('ethereum')?.isOverdue, overdue.of('polygon')?.isOverdue]).toEqual([true, false])
    await compared('ethereum')
    expect((await last()).drifts).toEqual([])
  })

  test('without any comparison are overdue only from the second day on', async () => {
    const held: Entry = credit(3n)
    const arbitrum = held.postings.map(({ account, amount }) => ({
      account: {
        ...account,
        name: account.businessId === null ? 'deposits:arbitrum' : 'available',
        asset: 'arbitrum:USDC',
      } as typeof account,
      amount,
    }))
    await db.tx((tx) => post(tx, [{ ...held, postings: arbitrum }]))
    await asSuperuser((tx) =>
      tx.query("update ledger_closes set ended_at = now() where ended_at < now() - interval '20 hours'"),
    )
    const first = await last()
    expect(first.of('arbitrum')).toEqual({
      chain: 'arbitrum',
      checkId: null,
      checkedAt: null,
      height: null,
      drifts: null,
      isOverdue: false,
    })
    expect(first.drifts).toEqual([])
    await daysAgo('ledger_closes', 24)
    expect((await last()).drifts).toMatchObject([
      { kind: 'chain_overdue', subject: 'arbitrum', found: 'no comparison' },
    ])
    await compared('arbitrum')
    expect((await last()).drifts).toEqual([])
  })
})

/** Commits what only a superuser can: no trigger runs, and nothing is refused. */
const asSuperuser = (work: (tx: Tx) => Promise<unknown>) =>
  db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await work(tx)
  })

describe('a change by hand', () => {
  const rollback = new Error('rollback')

  /** What the next close would find after these statements; they are undone. */
  async function foundAfter(...statements: [text: string, values?: unknown[]][]): Promise<LedgerDrift[]> {
    let drifts: LedgerDrift[] = []
    const changed = asSuperuser(async (tx) => {
      for (const [text, values] of statements) await tx.query(text, values)
      drifts = await verifyLedger(tx)
      throw rollback
    })
    await expect(changed).rejects.toBe(rollback)
    expect(await db.tx((tx) => verifyLedger(tx))).toEqual([])
    return drifts
  }
  const kinds = (drifts: readonly LedgerDrift[]) =>
    drifts.map(({ kind, subject }) => `${kind} ${subject}`).sort()

  test('is stored by the close that finds it, with what was expected and what was found', async () => {
    const [id = ''] = await write(50n)
    await close()
    const account = `available ${asset} of business ${businessId}`
    const change = (sign: string) =>
      asSuperuser((tx) =>
        tx.query(
          `update ledger_postings set amount = amount ${sign} 7 where entry_id = $1 and account_id = (select id from ledger_accounts where business_id = $2 and name = 'available')`,
          [id, businessId],
        ),
      )
    await change('-')
    try {
      const { close: closed, drifts } = await close()
      expect(closed.drifts).toBe(3)
      expect(drifts).toMatchObject([
        { kind: 'balance', subject: account, expected: '57', found: '50', accountId: expect.any(String) },
        { kind: 'asset', subject: asset, expected: '0', found: '-7' },
        { kind: 'chain_hash', subject: `entry ${id}` },
      ])
      expect(await readDrifts(db, closed.id)).toEqual(drifts)
      expect((await readCloses(db, 1))[0]).toEqual(closed)
    } finally {
      await change('+')
    }
    expect((await close()).drifts).toEqual([])
  })

  test('of an entry that is not chained yet gets no hash: once it is put right, the next close chains it', async () => {
    await close()
    const [id] = await write(50n)
    const change = (to: number) =>
      asSuperuser((tx) =>
        tx.query('update ledger_postings set amount = sign(amount) * $2::numeric where entry_id = $1', [
          id,
          to,
        ]),
      )
    await change(51)
    const { close: found } = await close()
    expect(found).toMatchObject({ entries: 0, drifts: 2 })
    await change(50)
    expect((await close()).close).toMatchObject({
      entries: 1,
      drifts: 0,
      lastPosition: found.lastPosition + 1n,
    })
    expect((await close()).close.drifts).toBe(0)
  })

  test('of a balance alone is found, also in one slot of many', async () => {
    await write(50n)
    const account = (name: string) =>
      `(select id from ledger_accounts where name = '${name}' and asset = '${asset}' and business_id ${name === 'available' ? `= '${businessId}'` : 'is null'})`
    expect(
      kinds(
        await foundAfter([
          `update ledger_balances set balance = balance + 1 where account_id = ${account('available')}`,
        ]),
      ),
    ).toEqual([`balance available ${asset} of business ${businessId}`])
    expect(
      kinds(
        await foundAfter([
          `update ledger_balances set balance = balance - 1 where account_id = ${account('deposits:ethereum')} and slot = 3`,
        ]),
      ),
    ).toEqual([`balance deposits:ethereum ${asset}`])
    expect(
      kinds(await foundAfter([`delete from ledger_balances where account_id = ${account('available')}`])),
    ).toEqual([`balance available ${asset} of business ${businessId}`])
  })

  test('that keeps every sum is found by the chain: an entry, its business, a posting that was added, moved or removed', async () => {
    const [id = '', other = ''] = await write(50n, 60n)
    await close()
    const changed = [`chain_hash entry ${id}`]
    expect(
      kinds(await foundAfter(["update ledger_entries set kind = 'deposit.credited' where id = $1", [id]])),
    ).toEqual(changed)
    expect(
      kinds(await foundAfter(['update ledger_entries set business_id = null where id = $1', [id]])),
    ).toEqual(changed)
    expect(
      kinds(
        await foundAfter([
          "update ledger_entries set created_at = created_at - interval '1 microsecond' where id = $1",
          [id],
        ]),
      ),
    ).toEqual(changed)
    const add = `insert into ledger_postings (entry_id, account_id, asset, amount)
      select $1, account_id, asset, amount * sign from ledger_postings, (values (1), (-1)) as s(sign) where entry_id = $1`
    expect(kinds(await foundAfter([add, [id]]))).toEqual(changed)
    const swap = `update ledger_postings set entry_id = case entry_id when $1::uuid then $2::uuid else $1::uuid end where entry_id in ($1, $2)`
    expect(kinds(await foundAfter([swap, [id, other]]))).toEqual(
      [`chain_hash entry ${id}`, `chain_hash entry ${other}`].sort(),
    )
    const remove = 'delete from ledger_postings where entry_id = $1'
    const balance = `update ledger_balances b set balance = balance - 50 from ledger_accounts a
      where a.id = b.account_id and (a.business_id = $1 and a.name = 'available' or a.name = 'deposits:ethereum' and a.asset = $2 and b.slot = 0)`
    expect(kinds(await foundAfter([remove, [id]], [balance, [businessId, asset]]))).toEqual(changed)
    expect(
      kinds(
        await foundAfter(
          [remove, [id]],
          ['delete from ledger_entries where id = $1', [id]],
          [balance, [businessId, asset]],
        ),
      ),
    ).toEqual(changed)
  })

  test('of the chain itself is found: a hash, a link that is missing in the middle or at the end, the hash of a close', async () => {
    const [id = '', next = ''] = (await write(50n, 60n)).toSorted()
    const { close: closed } = await close()
    const hash = 'update ledger_links set hash = sha256(hash) where entry_id = $1'
    expect(kinds(await foundAfter([hash, [id]]))).toEqual(
      [`chain_hash entry ${id}`, `chain_hash entry ${next}`].sort(),
    )
    const remove = 'delete from ledger_links where entry_id = $1'
    expect(kinds(await foundAfter([remove, [id]]))).toEqual([`chain_hash entry ${next}`])
    expect(kinds(await foundAfter([remove, [next]]))).toEqual([`chain_hash close ${closed.id}`])
    expect(
      kinds(
        await foundAfter([
          'update ledger_closes set last_hash = sha256(last_hash) where id = $1',
          [closed.id],
        ]),
      ),
    ).toEqual([`chain_hash close ${closed.id}`])
  })
})

test("the worker's database role can post and close, and write no balance", async () => {
  const worker = openDb(urlAs('worker', database.url), 2)
  try {
    await worker.tx((tx) => post(tx, [credit(3n)]))
    expect((await closeLedger({ db: worker }, 'now'))?.close).toMatchObject({ entries: 1, drifts: 0 })
    await expect(worker.query('update ledger_balances set balance = 7')).rejects.toMatchObject({
      code: '42501',
    })
  } finally {
    await worker.close()
  }
})

test.each(['ledger_links', 'ledger_closes', 'ledger_drifts', 'ledger_close_chains'])(
  '%s is append-only',
  async (table) => {
    for (const statement of [`delete from ${table}`, `truncate ${table} cascade`])
      await expect(db.query(statement)).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('is append-only'),
      })
  },
)
