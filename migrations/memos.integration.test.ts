import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { muxed } from '../src/chains/stellar/address.ts'
import { settleSuspense } from '../src/corrections/settleSuspense.ts'
import {
  account,
  createSharedAccount,
  depositOf,
  paymentTo,
  type SharedAccount,
} from '../test/support/sharedAccount.ts'
import { createMigrator } from './migrator.ts'

let shared: SharedAccount

beforeAll(async () => {
  shared = await createSharedAccount()
})
afterAll(() => shared?.close())

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (error: { constraint?: string; original?: { constraint?: string } }) =>
      error.constraint ?? error.original?.constraint ?? String(error),
  )
const query = (sql: string, values: unknown[] = []) => shared.ctx.db.query(sql, values)

test('a watch belongs to a session and has a business, or to the platform and has no business', async () => {
  const insert = (business: string | null, purpose: string) =>
    query(
      `insert into watches (id, family, address, business_id, purpose, subject_id)
       values (gen_random_uuid(), 'stellar', $3, $1, $2, gen_random_uuid())`,
      [business, purpose, Buffer.from(shared.ctx.codec.bytes(muxed(account, 9n)))],
    )
  const [{ id } = { id: '' }] = await shared.ctx.db.query<{ id: string }>('select id from businesses limit 1')
  expect(await refused(insert(null, 'session'))).toBe('watches_owner')
  expect(await refused(insert(id, 'suspense'))).toBe('watches_owner')
  expect(await refused(insert(id, 'anything'))).toBe('watches_purpose_check')
})

test('a memo has a type, and a type has a memo', async () => {
  await shared.read(paymentTo(account, 1n))
  expect(await refused(query("update transfers set memo = 'a'"))).toBe('transfers_memo')
  expect(await refused(query("update transfers set memo_type = 'text'"))).toBe('transfers_memo')
  expect(await refused(query("update transfers set memo = 'a', memo_type = 'note'"))).toBe(
    'transfers_memo_type_check',
  )
  expect(await refused(query("update transfers set memo = '7', memo_type = 'id'"))).toBe('taken')
})

test('stepping back is possible with suspense balances: payments of sessions and the ledger stay', async () => {
  const session = await shared.watch(depositOf(0))
  await shared.read(
    paymentTo(depositOf(0), 5n),
    paymentTo(account, 7n, { memo: { type: 'text', value: 'whose?' } }),
  )
  const nobodys = (await shared.detections()).filter(({ mine }) => !mine).at(-1)
  await settleSuspense(shared.ctx, { detectionId: nobodys?.id ?? '', outboxId: '0' })
  const postings = await query('select account_id, amount from ledger_postings order by id')

  const migrator = createMigrator(shared.ctx.db)
  await migrator.down({ to: '0009-memos' })
  expect(await query('select subject_id from detections')).toEqual([{ subject_id: session }])
  expect(await query("select purpose from watches where purpose <> 'session'")).toEqual([])
  expect(await query('select account_id, amount from ledger_postings order by id')).toEqual(postings)
  await migrator.up()
  expect(await query('select subject_id from detections')).toEqual([{ subject_id: session }])
})
