import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { listAudit } from '../audit/listAudit.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { roleIn } from '../members/role.ts'
import { getBusiness } from './business.ts'
import { changeBusiness, createBusiness } from './manageBusiness.ts'
import { setTimeZone } from './operateBusinesses.ts'

let database: TestDatabase
let ownerId: string
const actor = systemActor('test')

beforeAll(async () => {
  database = await createTestDatabase()
  ownerId = (await createAccount(database.db, { email: 'a@example.com', name: 'A', passwordHash: 'x' })).id
})
afterAll(() => database?.drop())

test('a new business belongs to its creator, waits for approval, has no fees and accepts everything offered', async () => {
  const view = await createBusiness(database, actor, ownerId, {
    name: '  Corner Shop ',
    localCurrency: 'KES',
  })
  expect(view).toMatchObject({
    name: 'Corner Shop',
    localCurrency: 'KES',
    approval: 'pending',
    approvalReason: null,
  })
  expect(await roleIn(database.db, view.id, ownerId)).toBe('owner')
  const { feePercent, fxMarginPercent, accepted } = await getBusiness(database, view.id)
  expect([Number(feePercent), Number(fxMarginPercent), accepted]).toEqual([0, 0, null])
})

test('a business without an owner is never created', async () => {
  const noAccountId = '00000000-0000-7000-8000-000000000000'
  await expect(createBusiness(database, actor, noAccountId, { name: 'Orphan' })).rejects.toThrow()
  expect(await database.db.query("select 1 from businesses where name = 'Orphan'")).toEqual([])
  expect(
    (await listAudit(database, { q: 'business.created' }, { page: 1, limit: 100, sort: 'ASC' })).total,
  ).toBe(1)
})

test('concurrent renames are each audited with the name before them', async () => {
  const { id } = await createBusiness(database, actor, ownerId, { name: '0' })
  await Promise.all(
    ['1', '2', '3', '4'].map((name) => changeBusiness(database, actor, id, { name: ` ${name} ` })),
  )
  const { entries } = await listAudit(
    database,
    { businessId: id, action: 'business.renamed' },
    { page: 1, limit: 100, sort: 'ASC' },
  )
  const next = new Map(
    (entries as { before: { name: string }; after: { name: string } }[]).map(({ before, after }) => [
      before.name,
      after.name,
    ]),
  )
  let name = '0'
  for (let i = 0; i < 4; i++) name = next.get(name) ?? 'not audited'
  expect([next.size, name]).toEqual([4, (await getBusiness(database, id)).name])
})

describe('a time zone', () => {
  test('is UTC until another one is set, and each change is audited', async () => {
    const { id, timeZone } = await createBusiness(database, actor, ownerId, { name: 'Zones' })
    expect(timeZone).toBe('UTC')
    for (const zone of ['Africa/Lagos', 'Africa/Lagos', 'Asia/Kathmandu'])
      expect((await changeBusiness(database, actor, id, { timeZone: zone })).timeZone).toBe(zone)
    expect((await changeBusiness(database, actor, id, { name: 'Named' })).timeZone).toBe('Asia/Kathmandu')
    const { entries } = await listAudit(
      database,
      { businessId: id, action: 'business.time_zone_changed' },
      { page: 1, limit: 100, sort: 'ASC' },
    )
    expect(entries).toMatchObject([
      { before: { timeZone: 'UTC' }, after: { timeZone: 'Africa/Lagos' } },
      { before: { timeZone: 'Africa/Lagos' }, after: { timeZone: 'Asia/Kathmandu' } },
    ])
  })

  test.each(['Nowhere/At_All', '+01:00', ''])('%j is refused, and changes nothing', async (timeZone) => {
    const refusal = { status: 400, fields: [{ field: 'timeZone' }] }
    await expect(
      createBusiness(database, actor, ownerId, { name: 'No zone', timeZone }),
    ).rejects.toMatchObject(refusal)
    const { id, name } = await createBusiness(database, actor, ownerId, {
      name: 'Zone',
      timeZone: 'Asia/Tokyo',
    })
    for (const change of [
      changeBusiness(database, actor, id, { name: 'Other', timeZone }),
      setTimeZone(database, actor, id, timeZone),
    ])
      await expect(change).rejects.toMatchObject(refusal)
    expect(await getBusiness(database, id)).toMatchObject({ name, timeZone: 'Asia/Tokyo' })
    expect((await setTimeZone(database, actor, id, 'Africa/Cairo')).timeZone).toBe('Africa/Cairo')
  })
})
