import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { addCredit, madeContext, setPrice } from '../../test/support/madeVerifications.ts'
import { urlAs } from '../../test/support/template.ts'
import { writesOf } from '../../test/support/writes.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { createVerification } from './createVerification.ts'
import { sandboxVerifier } from './sandboxVerifier.ts'

let database: TestDatabase
/** By the rights of the verification host, with one connection. */
let host: Db
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  host = openDb(urlAs('verification', database.url), 1)
  await insertBusiness(database.db, businessId)
  await setPrice(database.db, 'NG', 'passport', 1n)
  await addCredit(database.db, businessId, 1000n)
  await create({})
})
afterAll(async () => {
  await host?.close()
  await database?.drop()
})

const create = (more: { documents?: string[]; requestId?: string }) =>
  createVerification(
    madeContext(host, sandboxVerifier),
    { actor: systemActor('test'), businessId },
    {
      ...{ requestId: newId(), country: 'NG', idType: 'passport', idNumber: 'A1', firstName: 'Adaeze' },
      ...more,
    },
  )

async function upload(): Promise<string> {
  const id = newId()
  await database.db.query(
    "insert into verification_uploads (id, business_id, type, bytes, data_key) values ($1, $2, 'image/png', 1, '')",
    [id, businessId],
  )
  return id
}

// Statements that are issued one by one are a message each: the time of a round trip, in which other requests
// of the business wait for its credit.

test('a verification is stored by two messages to the database: one decides, one goes with the commit', async () => {
  expect(await writesOf(() => create({}))).toBe(2)
})

test('its uploads add no jobs', async () => {
  const documents = [await upload(), await upload()]
  expect(await writesOf(() => create({ documents }))).toBe(2)
  const attached = await database.db.query(
    'select 1 from verification_uploads where id = any($1) and verification_id is not null',
    [documents],
  )
  expect(attached).toHaveLength(2)
})

test('an upload that is missing leaves the others unused, and no verification', async () => {
  const [free, requestId] = [await upload(), newId()]
  await expect(create({ documents: [free, newId()], requestId })).rejects.toMatchObject({ status: 400 })
  expect(await database.db.query('select 1 from verifications where request_id = $1', [requestId])).toEqual(
    [],
  )
  expect(
    await database.db.query('select 1 from verification_uploads where id = $1 and verification_id is null', [
      free,
    ]),
  ).toHaveLength(1)
})

test('another request with a requestId that was used is refused, and takes no upload', async () => {
  const [free, requestId] = [await upload(), newId()]
  await create({ requestId })
  await expect(create({ documents: [free], requestId })).rejects.toMatchObject({ status: 422 })
  expect(
    await database.db.query('select 1 from verification_uploads where id = $1 and verification_id is null', [
      free,
    ]),
  ).toHaveLength(1)
})
