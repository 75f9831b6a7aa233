import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { DataTypes } from 'sequelize'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { writesOf } from '../../../test/support/writes.ts'
import { type Db, openDb, type Tx } from './db.ts'
import { openModelDb } from './modelDb.ts'
import { prepared } from './prepared.ts'
import { transact } from './transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.query('create table notes (name text primary key)')
})
beforeEach(() => database.db.query('truncate notes'))
afterAll(() => database?.drop())

const add = prepared('insert into notes values ($1) returning name')
const stored = async () =>
  (await database.db.query<{ name: string }>('select name from notes order by 1')).map(({ name }) => name)

describe.each([
  ['openDb', (): Db => openDb(database.url, 1)],
  ['openModelDb', (): Db => openModelDb(database.url, 1)],
])('a transaction, with %s,', (_name, open) => {
  let db: Db
  beforeAll(() => {
    db = open()
  })
  afterAll(() => db.close())

  test('sends statements of one turn together, the first with the start and the last with the commit', async () => {
    const work = async (tx: Tx) => {
      const [one, two] = await Promise.all([
        tx.query(add, ['one']),
        tx.query('select $1::integer + 1 as n', [1]),
      ])
      tx.send(add, ['three'])
      return [one, two]
    }
    await db.query('select 1')
    expect(
      await writesOf(async () => expect(await db.tx(work)).toEqual([[{ name: 'one' }], [{ n: 2 }]])),
    ).toBe(2)
    expect(await stored()).toEqual(['one', 'three'])
  })

  test('runs a sent statement before the next, also before several in one text', async () => {
    const seen = await db.tx(async (tx) => {
      tx.send(add, ['sent'])
      const [first] = [await tx.query('select name from notes where name = $1', ['sent'])]
      tx.send(add, ['later'])
      await tx.query("update notes set name = name || '!'; select 1")
      return first
    })
    expect(seen).toEqual([{ name: 'sent' }])
    expect(await stored()).toEqual(['later!', 'sent!'])
  })

  test('keeps nothing where a statement fails, and those after it fail with its error; the connection serves the next', async () => {
    const [pid] = await db.query('select pg_backend_pid() as pid')
    const results = db.tx(async (tx) => {
      const outcomes = await Promise.allSettled([
        tx.query(add, ['kept']),
        tx.query(add, ['kept']),
        tx.query(prepared('select 7 as n, $1::text'), ['']),
      ])
      expect(outcomes).toMatchObject([
        { value: [{ name: 'kept' }] },
        { reason: { code: '23505' } },
        { reason: { code: '23505' } },
      ])
      throw outcomes[1]?.status === 'rejected' ? outcomes[1].reason : new Error('no failure')
    })
    await expect(results).rejects.toMatchObject({ code: '23505' })
    expect(await stored()).toEqual([])
    expect(await db.query('select pg_backend_pid() as pid')).toEqual([pid])
    // It was not parsed then.
    expect(await db.query(prepared('select 7 as n, $1::text'), [''])).toMatchObject([{ n: 7 }])
  })

  test.each([
    ['goes with the commit', async () => {}],
    [
      'goes with a statement whose failure is ignored',
      async (tx: Tx) => void (await tx.query(add, ['more']).catch(() => {})),
    ],
    [
      'goes before several in one text, whose failure is ignored',
      async (tx: Tx) => void (await tx.query('select 1; select 2').catch(() => {})),
    ],
  ])('fails with a sent statement that %s', async (_how, then) => {
    const failing = db.tx(async (tx) => {
      await tx.query(add, ['kept'])
      tx.send(add, ['kept'])
      await then(tx)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await stored()).toEqual([])
    expect(await db.query(add, ['next'])).toEqual([{ name: 'next' }])
  })

  test('fails where its work caught the failure of a statement: nothing of it is stored', async () => {
    const swallowing = db.tx(async (tx) => {
      await tx.query(add, ['one'])
      await tx.query(add, ['one']).catch(() => 'known')
    })
    await expect(swallowing).rejects.toThrow('rolled back')
    expect(await stored()).toEqual([])
    expect(await db.tx((tx) => tx.query(add, ['next']))).toEqual([{ name: 'next' }])
  })

  test('that throws before its first statement sends nothing', async () => {
    await db.query('select 1')
    const refused = () => expect(db.tx(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await writesOf(refused)).toBe(0)
  })

  test('takes no statement after its end: its connection is another caller’s', async () => {
    let late: Tx | undefined
    await db.tx(async (tx) => {
      late = tx
      await tx.query(add, ['one'])
    })
    await expect(late?.query(add, ['two'])).rejects.toThrow('the transaction is over')
    expect(() => late?.send(add, ['two'])).toThrow('the transaction is over')
    await expect(
      db.tx((tx) => Promise.all([tx.query(add, ['three']), Promise.reject(new Error('refused'))])),
    ).rejects.toThrow('refused')
    expect(await stored()).toEqual(['one'])
  })

  test('with a value that cannot be sent fails, and another connection serves the next', async () => {
    const circle: { self?: object } = {}
    circle.self = circle
    await expect(
      db.tx((tx) => Promise.all([tx.query(add, ['one']), tx.query('select $1::jsonb', [circle])])),
    ).rejects.toThrow()
    expect(await db.query(add, ['next'])).toEqual([{ name: 'next' }])
    expect(await stored()).toEqual(['next'])
  })
})

test('a transaction whose start fails runs nothing: it would be a transaction of its own', async () => {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  const released: (Error | undefined)[] = []
  const connections = {
    connect: async () => client,
    release: (_client: pg.Client, undetermined: Error | undefined) => released.push(undetermined),
  }
  const work = transact(connections, [['select 1 / $1::integer', ['0']]], async (_tx, connection) => {
    await connection()
      .query("insert into notes values ('alone')")
      .catch(() => {})
  })
  await expect(work).rejects.toThrow()
  expect(released).toMatchObject([{ code: '22012' }])
  expect(await stored()).toEqual([])
})

test('statements of models keep their place among the others', async () => {
  const db = openModelDb(database.url, 1)
  const notes = db.sequelize.define(
    'note',
    { name: { type: DataTypes.TEXT, primaryKey: true } },
    { tableName: 'notes', timestamps: false },
  )
  await db.tx(async (tx) => {
    const { transaction } = tx
    tx.send(add, ['sent'])
    await notes.update({ name: 'changed' }, { where: { name: 'sent' }, transaction })
  })
  expect(await stored()).toEqual(['changed'])
  const refused = db.tx(async ({ transaction }) => {
    await notes.create({ name: 'dropped' }, { transaction })
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(await stored()).toEqual(['changed'])
  await db.close()
})
