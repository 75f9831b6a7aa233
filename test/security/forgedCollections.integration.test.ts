import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { payerContext } from '../../src/collections/sealedColumns.ts'
import { stepCollection } from '../../src/collections/stepCollection.ts'
import { sealText } from '../../src/custody/sealText.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { type OpenCollections, openCollections, wallet } from '../support/openCollections.ts'
import { urlAs } from '../support/template.ts'

/**
 * A writer to the database has no customer's money settled elsewhere: the worker compares each row with what
 * the API has sealed.
 */

let open: OpenCollections
let worker: Db
let [business, other] = ['', '']
beforeAll(async () => {
  open = await openCollections()
  worker = openDb(urlAs('worker', open.databaseUrl), 4)
  ;[business, other] = [await open.business(), await open.business()]
  // Its question is not what is throttled.
  await open.ctx.channels()
})
afterAll(async () => {
  await worker?.close()
  await open?.close()
})
beforeEach(() => {
  open.alarms.length = 0
})

const attacker = `0x${'66'.repeat(20)}`
const atPartner = (id: string) => open.standIn.collections.bySequence(id)

/** One that the partner certainly does not have: the worker requests it again. */
async function unsent(): Promise<string> {
  open.standIn.throttled = 1
  const { status, body } = await open.create(business)
  expect([status, (await open.read(body.id)).submittedAt]).toEqual([202, null])
  return body.id
}
/** Changes columns, as only the owner of the database can. */
const change = (id: string, sets: string, values: unknown[] = []) =>
  open.db.query(`update fiat_collections set ${sets} where id = $1`, [id, ...values])
async function step(id: string): Promise<void> {
  await open.db.query('update fiat_collections set next_at = now() where id = $1', [id])
  await stepCollection({ ...open.ctx, db: worker }, id)
}

const changes: [what: string, sets: string, values: () => unknown[]][] = [
  ['the wallet', 'address = $2', () => [attacker]],
  ['the chain', "chain = 'polygon', token = 'USDT'", () => []],
  ['the token', "token = 'USDT'", () => []],
  ['a memo', "memo = '666'", () => []],
  ['the business', 'business_id = $2', () => [other]],
  ['the amount', 'local_amount = local_amount + 1', () => []],
  ['the currency', "currency = 'KES'", () => []],
  ['the country', "country = 'KE'", () => []],
  ['the channel', 'channel_id = $2', () => [newId()]],
]

test.each(changes)(
  '%s was changed: the partner does not receive it, the collection fails, and it alarms',
  async (_what, sets, values) => {
    const id = await unsent()
    await change(id, sets, values())
    await step(id)
    expect([atPartner(id), open.alarms]).toEqual([undefined, ['row_changed']])
    expect(await open.read(id)).toMatchObject({
      status: 'failed',
      reason: 'refused_by_worker',
      submittedAt: null,
      nextAt: null,
    })
    await step(id)
    expect(atPartner(id)).toBeUndefined()
  },
)

test('unchanged it is submitted, to the wallet that was requested', async () => {
  const id = await unsent()
  await step(id)
  expect(atPartner(id)?.settlement).toMatchObject({ walletAddress: wallet, cryptoNetwork: 'BASE' })
  expect([(await open.read(id)).status, open.alarms]).toEqual(['processing', []])
})

describe('a row of a version that sealed no terms', () => {
  /** As that version has sealed it. */
  async function old(): Promise<string> {
    const id = await unsent()
    const payer = {
      recipient: { kind: 'business', businessId: 'RC-1', businessName: 'Ada', email: 'a@example.com' },
      source: { accountType: 'bank' },
    }
    const text = new Secret(JSON.stringify({ businessId: business, payer }))
    await change(id, 'sealed_payer = $2', [sealText(open.ctx.appKey, payerContext(id), text)])
    return id
  }

  test('fails with a reason of its own, without an alarm; the partner does not receive it', async () => {
    for (const id of [await old(), await old()]) {
      await change(id, 'address = $2', [attacker])
      await step(id)
      expect([atPartner(id), open.alarms]).toEqual([undefined, []])
      expect(await open.read(id)).toMatchObject({
        status: 'failed',
        reason: 'older_version',
        submittedAt: null,
        nextAt: null,
      })
    }
  })

  test('that the partner has is followed to its end', async () => {
    const { id } = (await open.create(business)).body
    const sealed = await old()
    await change(id, 'sealed_payer = (select sealed_payer from fiat_collections where id = $2)', [sealed])
    const made = atPartner(id)
    if (!made) throw new Error('the partner does not have it')
    open.standIn.collections.receive(made)
    await step(id)
    expect([(await open.read(id)).status, open.alarms]).toEqual(['completed', []])
  })
})

test('a row that the API has not sealed, and one with the seal of another, are not submitted', async () => {
  const [mine, copied, forged] = [await unsent(), await unsent(), newId()]
  await change(
    copied,
    'sealed_payer = (select sealed_payer from fiat_collections where id = $2), address = $3',
    [mine, attacker],
  )
  const columns = (
    await open.db.query<{ name: string }>(
      "select column_name as name from information_schema.columns where table_name = 'fiat_collections' and column_name not in ('id', 'address')",
    )
  ).map(({ name }) => name)
  await open.db.query(
    `insert into fiat_collections (id, address, ${columns}) select $2, $3, ${columns} from fiat_collections where id = $1`,
    [mine, forged, attacker],
  )
  for (const id of [copied, forged]) {
    await expect(step(id)).rejects.toThrow()
    expect([atPartner(id), (await open.read(id)).submittedAt]).toEqual([undefined, null])
  }
})

test('a row that claims again that the partner does not have it leads to no second collection', async () => {
  const { id } = (await open.create(business)).body
  await change(
    id,
    `status = 'pending', submitted_at = null, partner_payment_id = null, partner_status = null, partner_updated_at = null, partner_asked_at = null`,
  )
  await step(id)
  expect(open.standIn.collections.all().filter(({ sequenceId }) => sequenceId === id)).toHaveLength(1)
  expect(await open.read(id)).toMatchObject({ status: 'processing', partnerPaymentId: atPartner(id)?.id })
})

test("after the partner has it, a changed wallet makes the partner's answers another collection's", async () => {
  const { id } = (await open.create(business)).body
  await change(id, 'address = $2', [attacker])
  const made = atPartner(id)
  if (!made) throw new Error('the partner does not have it')
  open.standIn.collections.receive(made)
  await step(id)
  expect([(await open.read(id)).status, (await open.read(id)).reason, open.alarms]).toEqual([
    'processing',
    'partner_contradicts',
    ['contradiction'],
  ])
  expect(made.settlement?.walletAddress.toLowerCase()).not.toBe(attacker)
})

describe('a business that is suspended meanwhile', () => {
  const suspend = (approval: string) =>
    open.db.query('update businesses set approval = $2 where id = $1', [business, approval])

  test('requests nothing; once it is approved again its collection goes on', async () => {
    const id = await unsent()
    await suspend('suspended')
    try {
      await step(id)
      await step(id)
      expect([atPartner(id), await open.read(id)]).toMatchObject([
        undefined,
        { status: 'pending', reason: 'held', submittedAt: null },
      ])
    } finally {
      await suspend('approved')
    }
    await step(id)
    expect(await open.read(id)).toMatchObject({ status: 'processing', reason: null })
  })

  test('still gets the end of what the partner has', async () => {
    const { id } = (await open.create(business)).body
    const made = atPartner(id)
    if (!made) throw new Error('the partner does not have it')
    await suspend('suspended')
    try {
      open.standIn.collections.receive(made)
      await step(id)
      expect((await open.read(id)).status).toBe('completed')
    } finally {
      await suspend('approved')
    }
  })

  test('on mainnets one that is not approved yet requests nothing', async () => {
    const id = await unsent()
    await suspend('pending')
    await open.db.query('update fiat_collections set next_at = now() where id = $1', [id])
    await stepCollection({ ...open.ctx, environment: 'live' }, id)
    expect(await open.read(id)).toMatchObject({ status: 'pending', reason: 'held' })
    await suspend('approved')
  })
})
