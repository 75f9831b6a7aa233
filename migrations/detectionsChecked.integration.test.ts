import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { createIndexed, header, type Indexed, read, transfer, watched } from '../test/support/indexed.ts'

let indexed: Indexed

beforeAll(async () => {
  indexed = await createIndexed()
  await indexed.watch(watched)
})
beforeEach(async () => {
  await indexed.reset()
  await indexed.commit(indexed.context(), [read(header(1), [transfer(5n)])])
})
afterAll(() => indexed?.database.drop())

/** Copies the detection to a second watch, with some references replaced. */
async function copy({
  transferId,
  watchId,
  businessId,
}: {
  transferId?: string
  watchId?: string
  businessId?: string
}): Promise<unknown> {
  const { db } = indexed.database
  const [other] = await db.query<{ id: string }>(
    'select id from watches where id <> (select watch_id from detections)',
  )
  return indexed.context().db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth)
     select $1::uuid, coalesce($2::uuid, transfer_id), coalesce($3::uuid, $5::uuid), coalesce($4::uuid, business_id), subject_id, chain, block_height, depth from detections`,
    [newId(), transferId ?? null, watchId ?? null, businessId ?? null, other?.id],
  )
}

test('a detection names a transfer and a watch that exist, and the business of the watch', async () => {
  const { db } = indexed.database
  await indexed.watch('0x00000000000000000000000000000000000000aa')
  const stranger = newId()
  await db.query("insert into businesses (id, name) values ($1, 'Stranger')", [stranger])
  for (const wrong of [
    { transferId: newId() },
    { watchId: newId() },
    { businessId: newId() },
    { businessId: stranger },
  ])
    await expect(copy(wrong)).rejects.toMatchObject({ code: '23503' })
  expect(await indexed.statuses()).toHaveLength(1)
  await copy({})
  expect(await indexed.statuses()).toHaveLength(2)
})

test('one wrong row in a statement of many is refused with all of them', async () => {
  for (let n = 0; n < 20; n++) await indexed.watch(`0x${String(n).padStart(40, 'b')}`)
  const insertAll = (last: string) =>
    indexed.context().db.query(
      `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth)
       select gen_random_uuid(), case when w.id = (select max(id::text)::uuid from watches) then ${last} else t.id end, w.id, w.business_id, w.subject_id, t.chain, t.block_height, 1
       from transfers t, watches w where w.id not in (select watch_id from detections)`,
    )
  await expect(insertAll('gen_random_uuid()')).rejects.toMatchObject({ code: '23503' })
  expect(await indexed.statuses()).toHaveLength(1)
  await insertAll('t.id')
  expect((await indexed.statuses()).length).toBeGreaterThan(20)
})

test('a transfer is not deleted while it has a detection', async () => {
  const { db } = indexed.database
  await expect(db.query('delete from transfers')).rejects.toMatchObject({ code: '23503' })
  await db.query('delete from detections')
  await db.query('delete from transfers')
  expect(await indexed.written()).toMatchObject({ transfers: 0 })
})
