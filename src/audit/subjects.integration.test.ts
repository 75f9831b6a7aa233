import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeTaking } from '../../test/support/madeTakings.ts'
import { makePaymentLink } from '../../test/support/paymentLinkRow.ts'
import { makeWaitingTransfer } from '../../test/support/waitingTransfer.ts'
import { makeWebhookRecords } from '../../test/support/webhookRecords.ts'
import { newId } from '../platform/ids.ts'
import { listAudit } from './listAudit.ts'
import { recordAudit, systemActor } from './recordAudit.ts'

let database: TestDatabase
const shop = newId()
const other = newId()
const actor = systemActor('test')

beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of [shop, other]) await insertBusiness(database.db, id)
  await database.db.query("update businesses set name = 'Harbour Coffee' where id = $1", [shop])
})
afterAll(() => database?.drop())

async function subjectOf(businessId: string | null, target: string) {
  await recordAudit(database.db, actor, { businessId, action: 'test.done', target })
  const { entries } = await listAudit(database, businessId === null ? {} : { businessId }, {
    page: 1,
    limit: 1,
    sort: 'DESC',
  })
  return entries[0] as { subject: unknown; businessName: string | null }
}

test('an entry names its object and its business', async () => {
  const { endpoint } = await makeWebhookRecords(database.db, shop)
  expect(await subjectOf(shop, endpoint)).toMatchObject({
    subject: { kind: 'endpoint', id: endpoint, label: expect.stringMatching(/^http/) },
    businessName: 'Harbour Coffee',
  })
  expect((await subjectOf(shop, shop)).subject).toEqual({
    kind: 'business',
    id: shop,
    label: 'Harbour Coffee',
  })
})

test('a payment is named by its reference', async () => {
  await makeTaking(database.db, shop, { at: new Date(), amount: 5, reference: 'INV-7' })
  const [session] = await database.db.query<{ id: string }>(
    "select id from pos_sessions where reference = 'INV-7'",
  )
  expect((await subjectOf(shop, session?.id ?? '')).subject).toMatchObject({
    kind: 'session',
    label: 'INV-7',
  })
})

test('a payment link is named by its label, and a batch by its reference', async () => {
  const link = await makePaymentLink(database.db, shop)
  await database.db.query("update payment_links set label = 'Lesson' where id = $1", [link.id])
  expect((await subjectOf(shop, link.id)).subject).toEqual({
    kind: 'payment_link',
    id: link.id,
    label: 'Lesson',
  })
  const batch = newId()
  await database.db.query(
    "insert into payout_batches (id, business_id, reference, created_at) values ($1, $2, 'August', now())",
    [batch, shop],
  )
  expect((await subjectOf(shop, batch)).subject).toEqual({ kind: 'payout_batch', id: batch, label: 'August' })
  expect((await subjectOf(other, link.id)).subject).toBeNull()
})

test('a transfer is named by what it sends and to whom, and so is its approval', async () => {
  const { transfer, approval } = await makeWaitingTransfer(database.db, shop)
  const label = '0.000000000000000005 ETH to 0xefefef…efefef'
  expect((await subjectOf(shop, transfer)).subject).toEqual({ kind: 'transfer', id: transfer, label })
  expect((await subjectOf(shop, approval)).subject).toEqual({ kind: 'approval', id: approval, label })
  expect((await subjectOf(other, transfer)).subject).toBeNull()
})

test('an object of another business is not named', async () => {
  const { endpoint } = await makeWebhookRecords(database.db, other)
  expect((await subjectOf(shop, endpoint)).subject).toBeNull()
  expect((await subjectOf(shop, other)).subject).toBeNull()
})

test('what is no id, or names nothing, has no subject', async () => {
  expect((await subjectOf(null, 'yellowcard')).subject).toBeNull()
  expect((await subjectOf(shop, newId())).subject).toBeNull()
})
