import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { getBusiness } from './business.ts'
import { createAccount } from './createAccount.ts'
import { createBusiness, renameBusiness } from './manageBusiness.ts'
import { roleIn } from './members.ts'

let database: TestDatabase
let ownerId: string
const actor = systemActor('test')

beforeAll(async () => {
  database = await createTestDatabase()
  ownerId = (await createAccount(database.db, { email: 'a@example.com', name: 'A', passwordHash: 'x' })).id
})
afterAll(() => database?.drop())

test('who opens a business owns it; it waits for approval, costs nothing yet, and takes all that is offered', async () => {
  const view = await createBusiness(database, actor, ownerId, { name: '  Corner Shop ', localCurrency: 'KES' })
  expect(view).toMatchObject({ name: 'Corner Shop', localCurrency: 'KES', approval: 'pending', approvalReason: null })
  expect(await roleIn(database.db, view.id, ownerId)).toBe('owner')
  const { feePercent, fxMarginPercent, accepted } = await getBusiness(database, view.id)
  expect([Number(feePercent), Number(fxMarginPercent), accepted]).toEqual([0, 0, null])
})

test('a business without an owner is never made', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  await expect(createBusiness(database, actor, nobody, { name: 'Orphan' })).rejects.toThrow()
  expect(await database.db.query("select 1 from businesses where name = 'Orphan'")).toEqual([])
  expect((await listAudit(database, { q: 'business.created' }, { page: 1, limit: 100, sort: 'ASC' })).total).toBe(1)
})

test('of several who rename it at once each is told what was before them', async () => {
  const { id } = await createBusiness(database, actor, ownerId, { name: '0' })
  await Promise.all(['1', '2', '3', '4'].map((name) => renameBusiness(database, actor, id, ` ${name} `)))
  const { entries } = await listAudit(database, { businessId: id, action: 'business.renamed' }, { page: 1, limit: 100, sort: 'ASC' })
  const next = new Map((entries as { before: { name: string }; after: { name: string } }[]).map(({ before, after }) => [before.name, after.name]))
  let name = '0'
  for (let i = 0; i < 4; i++) name = next.get(name) ?? 'nobody was told'
  expect([next.size, name]).toEqual([4, (await getBusiness(database, id)).name])
})
