import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createMigrator } from '../../migrations/migrator.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { keepMayNameAddress } from '../../src/apiKeys/refundAddress.ts'
import { type KeyToStore, storeKey } from '../../src/apiKeys/storeKey.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { newId } from '../../src/platform/ids.ts'
import { addMember, dashboard, type Headers, sessionOf, tokenOf } from '../support/dashboardSession.ts'
import { createTestDatabase } from '../support/database.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { makePaidSession, someAddress } from '../support/madeRefunds.ts'
import { createStack, type Stack } from '../support/stack.ts'

// To name where a refund goes needs `refunds:address`, which owners give a key by name. Nothing is sent:
// there is no worker.

let stack: Stack
let owner: Headers
let developer: Headers
let session: string

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  owner = (await sessionOf(stack, await addMember(stack, stack.businessId, 'owner'))).headers
  developer = (await sessionOf(stack, await addMember(stack, stack.businessId, 'developer'))).headers
  session = (await makePaidSession(stack.db, stack.businessId, 20)).id
})
afterAll(() => stack?.close())

async function makeKey(fields: Partial<KeyToStore> = {}): Promise<{ id: string; headers: Headers }> {
  const key = generateApiKey('test')
  const { id } = await storeKey(stack, {
    businessId: stack.businessId,
    name: 'till',
    scope: 'write',
    ...fields,
    key,
  })
  return { id, headers: { 'x-api-key': key.reveal() } }
}

const refund = (headers: Headers, to: object = { toAddress: someAddress() }) =>
  stack.api<{ error?: string; message?: string }>(
    'POST',
    `/pos/sessions/${session}/refunds`,
    { amount: '0.01', ...to },
    headers,
  )
const refused = {
  status: 403,
  body: {
    error: 'insufficient_permission',
    message: expect.stringContaining('the permission refunds:address'),
  },
}
const keys = () => `/businesses/${stack.businessId}/keys`
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const outflows = async () =>
  (await stack.db.query('select id from outflows where session_id = $1', [session])).length

describe('a key without refunds:address', () => {
  test.each([{}, { permissions: ['refunds:create'] }])(
    'refunds by claim only, with the fields %j',
    async (fields) => {
      const { headers } = await makeKey(fields)
      const before = await outflows()
      expect(await refund(headers)).toMatchObject(refused)
      expect(await outflows()).toBe(before)
      expect((await refund(headers, { claim: true })).status).toBe(201)
    },
  )

  test('refunds to an address when an owner names the permission; a developer can neither give it nor keep it by rotation', async () => {
    const { id, headers } = await makeKey()
    const decide = (by: Headers, allowed: boolean) =>
      dashboard(stack, 'PUT', `${keys()}/${id}/refund-addresses`, { allowed }, by)
    expect((await decide(developer, true)).body.error).toBe('insufficient_role')
    const asDeveloper = await dashboard(
      stack,
      'PATCH',
      `${keys()}/${id}`,
      { permissions: ['refunds:address'] },
      developer,
    )
    expect(asDeveloper.body.error).toBe('insufficient_role')
    expect((await decide(owner, true)).status).toBe(200)
    expect((await refund(headers)).status).toBe(201)
    expect(
      (await dashboard(stack, 'POST', `${keys()}/${id}/rotate`, { overlapSeconds: 0 }, developer)).body.error,
    ).toBe('insufficient_role')
    const me = await stack.api<{ permissions: string[] }>('GET', '/auth/me', undefined, headers)
    expect(me.body.permissions).toContain('refunds:address')
    expect((await decide(owner, false)).status).toBe(200)
    expect(await refund(headers)).toMatchObject(refused)
  })

  test('is refused in the transaction of the refund too: the permission was taken away meanwhile', async () => {
    const { id } = await makeKey()
    await expect(stack.db.tx((tx) => keepMayNameAddress(tx, id))).rejects.toMatchObject({
      status: 403,
      error: 'insufficient_permission',
    })
    await stack.db.query(
      "update api_keys set write_permissions = write_permissions || '{refunds:address}' where id = $1",
      [id],
    )
    await stack.db.tx((tx) => keepMayNameAddress(tx, id))
  })
})

describe('a key that is older than the permission', () => {
  const older = (until: Date) => makeKey({ refundAddressUntil: until })

  test('names addresses until its date, and is listed with it until an owner decides', async () => {
    const [kept, over] = [await older(inDays(1)), await older(inDays(-1))]
    expect((await refund(kept.headers)).status).toBe(201)
    expect(await refund(over.headers)).toMatchObject(refused)
    const listed = () =>
      dashboard<{ keys: { id: string; refundAddressUntil: string | null }[] }>(
        stack,
        'GET',
        `${keys()}?namesRefundAddresses=true`,
        undefined,
        owner,
      )
    const find = async () =>
      (await listed()).body.keys
        .filter(({ id }) => id === kept.id)
        .map((key) => key.refundAddressUntil !== null)
    expect(await find()).toEqual([true])
    // Another name is no decision; other permissions are.
    expect(
      (
        await dashboard(
          stack,
          'PATCH',
          `${keys()}/${kept.id}`,
          { name: 'shop', permissions: null },
          developer,
        )
      ).status,
    ).toBe(200)
    expect(await find()).toEqual([true])
    expect(
      (
        await dashboard(
          stack,
          'PATCH',
          `${keys()}/${kept.id}`,
          { permissions: ['refunds:create'] },
          developer,
        )
      ).status,
    ).toBe(200)
    expect(await find()).toEqual([])
    expect(await refund(kept.headers)).toMatchObject(refused)
  })

  test('keeps its date when it is rotated', async () => {
    const until = inDays(3)
    const { id } = await older(until)
    const { body } = await dashboard<{ key: { refundAddressUntil: string } }>(
      stack,
      'POST',
      `${keys()}/${id}/rotate`,
      { overlapSeconds: 0 },
      developer,
    )
    expect(body.key.refundAddressUntil).toBe(until.toISOString())
  })

  test('gets its date from the migration: every key that could refund, and no other', async () => {
    const { db, drop } = await createTestDatabase()
    try {
      const migrator = createMigrator(db)
      await migrator.down({ to: '0130-refund-addresses' })
      const business = newId()
      await insertBusiness(db, business, 'one')
      const keyRow = async (scope: string, permissions: string[] | null, writes: string[]) => {
        const id = newId()
        await db.query(
          `insert into api_keys (id, business_id, name, prefix, hash, scope, permissions, write_permissions, root_id)
           values ($1::uuid, $2, 'k', 'ak_test_0000', sha256($1::uuid::text::bytea), $3, $4, $5, $1::uuid)`,
          [id, business, scope, permissions, writes],
        )
        return id
      }
      const writes = [...unnamedPermissions('write', null)]
      const could = [await keyRow('write', null, writes), await keyRow('write', ['refunds:create'], [])]
      await keyRow('write', ['sessions:create'], [])
      await keyRow('write', null, ['sessions:create'])
      await keyRow('read', null, [])
      await migrator.up()
      const dated = await db.query<{ id: string; days: number }>(
        `select id, round(extract(epoch from refund_address_until - now()) / 86400)::int as days from api_keys
         where refund_address_until is not null and business_id = $1 order by id`,
        [business],
      )
      expect(dated).toEqual(could.toSorted().map((id) => ({ id, days: 30 })))
    } finally {
      await drop()
    }
  })
})

test('people refund to addresses as before: a developer by token', async () => {
  const person = await addMember(stack, stack.businessId, 'developer')
  const answer = await fetch(
    `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/pos/sessions/${session}/refunds`,
    {
      method: 'POST',
      headers: { ...(await tokenOf(stack, person)), 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '0.01', toAddress: someAddress() }),
    },
  )
  expect(answer.status).toBe(201)
})
