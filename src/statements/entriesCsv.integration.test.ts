import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { chains } from '../../test/support/sessionDatabase.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { openBusiness } from '../businesses/operateBusinesses.ts'
import { adjusted } from '../ledger/entries.ts'
import { post } from '../ledger/post.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { entriesCsv } from './entriesCsv.ts'

let database: TestDatabase
let businessId: string
const asset = 'ethereum:USDC'

beforeAll(async () => {
  database = await createTestDatabase()
  businessId = (await openBusiness(database, systemActor('test'), { name: 'B', ownerEmail: 'a@example.com' }))
    .business.id
  const debit = { name: 'capital', businessId: null, asset } as const
  const credit = { name: 'available', businessId, asset } as const
  const entries = Array.from({ length: 501 }, () =>
    adjusted({ cause: { kind: 'adjustment', id: newId() }, step: 1, debit, credit, amount: 1n }),
  )
  await database.db.tx((tx) => post(tx, entries))
})
afterAll(() => database?.drop())

const file = (signal: AbortSignal, confirm: () => Promise<void>, rows: number[] = []) =>
  entriesCsv({ db: database.db, chains }, businessId, {}, 'ASC', {
    signal,
    confirm,
    goesOn: async (n) => void rows.push(n),
  })

test('each piece is counted, and the caller is confirmed before the next', async () => {
  const rows: number[] = []
  let asked = 0
  const texts: string[] = []
  for await (const { text } of file(new AbortController().signal, async () => void asked++, rows))
    texts.push(text)
  expect([texts.length, rows, asked]).toEqual([2, [500], 1])
  expect(texts.join('').split('\r\n')).toHaveLength(1 + 501 + 1)
})

test('a caller who lost the right gets no further piece', async () => {
  const pieces = file(new AbortController().signal, async () => {
    throw new ApiError(401, 'Invalid API key')
  })
  expect((await pieces.next()).done).toBe(false)
  await expect(pieces.next()).rejects.toMatchObject({ status: 401 })
})

test('a file stays unfinished when the process stops', async () => {
  const stopping = new AbortController()
  const pieces = file(stopping.signal, async () => {})
  expect((await pieces.next()).done).toBe(false)
  stopping.abort()
  await expect(pieces.next()).rejects.toThrow('aborted')
})
