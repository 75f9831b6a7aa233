import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { createMigrator } from './migrator.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** Each with the kinds of its entries, in their order. */
const history: Readonly<Record<string, readonly string[]>> = {
  once: ['deposit.credited'],
  twice: ['deposit.pending', 'deposit.credited'],
  untilNow: [
    'deposit.pending',
    'deposit.credited',
    'deposit.pending',
    'deposit.credited',
    'deposit.reverted',
  ],
  never: [],
}
const inSuspense: Readonly<Record<string, readonly string[]>> = {
  held: ['suspense.credited'],
  back: ['suspense.credited', 'suspense.reverted'],
  neverHeld: [],
}

test('entries of before are numbered in their order, and each payment knows how many it has', async () => {
  const { db } = database
  const migrator = createMigrator(db)
  await migrator.down({ to: '0054-one-entry' })
  const ids = Object.fromEntries(
    [...Object.keys(history), ...Object.keys(inSuspense)].map((name) => [name, newId()]),
  )
  await db.tx(async (tx) => {
    // Only these tables matter: detections and sessions of the payments are left out.
    await tx.query('set local session_replication_role = replica')
    for (const name of Object.keys(history))
      await tx.query(
        "insert into session_payments (detection_id, session_id, generation, status) values ($1, $2, 1, 'confirmed')",
        [ids[name], newId()],
      )
    for (const name of Object.keys(inSuspense))
      await tx.query('insert into suspense_payments (detection_id, posted) values ($1, true)', [ids[name]])
    // Interleaved, as they are stored.
    for (const round of [0, 1, 2, 3, 4])
      for (const [name, kinds] of Object.entries({ ...history, ...inSuspense }))
        if (kinds[round] !== undefined)
          await tx.query(
            'insert into ledger_entries (id, kind, business_id, reference) values ($1, $2, null, $3)',
            [newId(), kinds[round], ids[name]],
          )
  })
  const before = await db.query('select id, kind, reference, created_at from ledger_entries order by id')

  await migrator.up()
  for (const [name, kinds] of Object.entries({ ...history, ...inSuspense })) {
    const of = name in history ? 'session_payment' : 'suspense_payment'
    const entries = await db.query(
      'select cause_kind, kind, step from ledger_entries where reference = $1 order by id',
      [ids[name]],
    )
    expect([name, entries]).toEqual([
      name,
      kinds.map((kind, index) => ({ cause_kind: of, kind, step: index + 1 })),
    ])
    expect(await db.query(`select entries from ${of}s where detection_id = $1`, [ids[name]])).toEqual([
      { entries: kinds.length },
    ])
  }
  expect(await db.query('select id, kind, reference, created_at from ledger_entries order by id')).toEqual(
    before,
  )
  await expect(db.query('update ledger_entries set step = 7')).rejects.toThrow('is append-only')

  await migrator.down({ to: '0054-one-entry' })
  expect(await db.query('select * from ledger_entries order by id')).toMatchObject(before)
  await migrator.up()
})
