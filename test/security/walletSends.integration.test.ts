import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { getAddress } from 'viem'
import { sessionCookie } from '../../api/dashboard-api/cookies.ts'
import { createMigrator } from '../../migrations/migrator.ts'
import { hashOfSession } from '../../src/accounts/signIns.ts'
import { generateApiKey, hashOfKey } from '../../src/apiKeys/form.ts'
import { type KeyToStore, storeKey } from '../../src/apiKeys/storeKey.ts'
import { unconfirmedKeys } from '../../src/apiKeys/unconfirmedKeys.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { requireWithinLimits } from '../../src/spendingLimits/requireWithin.ts'
import { insertIntent, readIntents } from '../../src/txmgr/intents.ts'
import { intentMessage } from '../../src/txmgr/proof.ts'
import {
  addMember,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { createTestDatabase } from '../support/database.ts'
import { intentOf } from '../support/evmIntents.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { transfers } from '../support/purposes.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
let owner: Person
let ownerSession: Headers

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  owner = await addMember(stack, stack.businessId, 'owner')
  ownerSession = (await sessionOf(stack, owner)).headers
})
afterAll(() => stack?.close())

const recipient = `0x${'ab'.repeat(20)}`

async function storedWallet(native = '5'): Promise<{ id: string; payer: Payer }> {
  const payer = newPayer('ethereum')
  await fund(stack, payer, { native })
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
    chain: 'ethereum',
    privateKey: payer.privateKey,
  })
  expect(status).toBe(201)
  return { id: body.id, payer }
}

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

const sendFrom = (walletId: string, headers: Headers, more: object = {}) =>
  stack.api<{ id: string; error?: string; message?: string }>(
    'POST',
    `/crypto/wallets/${walletId}/transfers`,
    { toAddress: recipient, amount: '0.001', ...more },
    headers,
  )

const rowsFrom = async (walletId: string) =>
  (await stack.db.query('select 1 from intents where wallet_id = $1', [walletId])).length

const decide = (keyId: string, allowed: boolean, headers: Headers = ownerSession) =>
  dashboard(stack, 'PUT', `/businesses/${stack.businessId}/keys/${keyId}/wallet-sends`, { allowed }, headers)

describe('sending from a stored wallet needs wallets:send', () => {
  test('a key without named permissions is refused, and can still send with a private key of its own', async () => {
    const { id, payer } = await storedWallet()
    const { headers } = await makeKey()
    expect(await sendFrom(id, headers)).toMatchObject({
      status: 403,
      body: {
        error: 'insufficient_permission',
        message: 'This key does not have the permission wallets:send, which only an owner can give to a key',
      },
    })
    expect(await rowsFrom(id)).toBe(0)
    const own = { chain: 'ethereum', toAddress: recipient, amount: '0.001' }
    expect(
      (
        await stack.api(
          'POST',
          '/crypto/transfers/tokens',
          { ...own, fromPrivateKey: payer.privateKey },
          headers,
        )
      ).status,
    ).toBe(201)
    expect(
      (await stack.api('POST', '/crypto/transfers/prepare', { ...own, fromAddress: payer.address }, headers))
        .status,
    ).toBe(201)
  })

  test('a key that names only crypto:transfer is refused; one that names wallets:send can send', async () => {
    const { id } = await storedWallet()
    const [old, named] = [
      await makeKey({ permissions: ['crypto:transfer'] }),
      await makeKey({ permissions: ['wallets:send'] }),
    ]
    expect((await sendFrom(id, old.headers)).body.error).toBe('insufficient_permission')
    expect((await sendFrom(id, named.headers)).status).toBe(202)
    expect(await rowsFrom(id)).toBe(1)
  })

  test('a developer is refused with a token, and can neither create, change, rotate nor allow such a key', async () => {
    const { id } = await storedWallet()
    const developer = await addMember(stack, stack.businessId, 'developer')
    const byToken = await fetch(
      `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/crypto/wallets/${id}/transfers`,
      {
        method: 'POST',
        headers: { ...(await tokenOf(stack, developer)), 'content-type': 'application/json' },
        body: JSON.stringify({ toAddress: recipient, amount: '0.001' }),
      },
    )
    expect([byToken.status, ((await byToken.json()) as { error: string }).error]).toEqual([
      403,
      'insufficient_role',
    ])
    expect(await rowsFrom(id)).toBe(0)
    const { headers } = await sessionOf(stack, developer)
    const keys = `/businesses/${stack.businessId}/keys`
    const { id: unlimited } = await makeKey()
    const allowed = (
      await makeKey({ writePermissions: [...unnamedPermissions('write', null), 'wallets:send'] })
    ).id
    const refused = await Promise.all([
      dashboard(
        stack,
        'POST',
        keys,
        { name: 'mine', scope: 'write', permissions: ['wallets:send'] },
        headers,
      ),
      dashboard(stack, 'PATCH', `${keys}/${unlimited}`, { permissions: ['wallets:send'] }, headers),
      dashboard(stack, 'PATCH', `${keys}/${allowed}`, { allowedAddresses: null }, headers),
      dashboard(stack, 'POST', `${keys}/${allowed}/rotate`, { overlapSeconds: 0 }, headers),
      decide(unlimited, true, headers),
    ])
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [403, 'insufficient_role']),
    )
  })
})

// The only way from the api's role to a signature without the api's key. Documented in docs/security.md:
// change both together.
describe('rows written by SQL with the role of the api', () => {
  let api: Db
  beforeAll(() => {
    api = openDb(urlAs('api', stack.databaseUrl), 1)
  })
  afterAll(() => api?.close())

  test('are trusted as a key: the api sends for it, and proves its transfer', async () => {
    const { id: wallet } = await storedWallet()
    const [id, key] = [newId(), generateApiKey('test').reveal()]
    await api.query(
      `insert into api_keys (id, root_id, business_id, name, prefix, hash, scope, permissions, write_permissions)
       values ($1, $1, $2, 'forged', 'ak_test_', $3, 'write', '{wallets:send}', '{}')`,
      [id, stack.businessId, hashOfKey(key)],
    )
    const { status, body } = await sendFrom(wallet, { 'x-api-key': key })
    expect(status).toBe(202)
    const [row] = await readIntents(stack.db, 'id = $1', [body.id])
    const [stored] = await stack.db.query<{ proof: Buffer }>('select proof from intents where id = $1', [
      body.id,
    ])
    if (!row || !stored) throw new Error('no transfer was stored')
    expect(proofs.api.verifies(intentMessage(row), stored.proof)).toBe(true)
  })

  test("are trusted as an owner's session, which creates keys; the audit log names that owner", async () => {
    const secret = randomBytes(32).toString('base64url')
    await api.query(
      `insert into sign_ins (id, account_id, kind, secret_hash, address, network, expires_at) values ($1, $2, 'dashboard', $3, '', '', 'infinity')`,
      [newId(), owner.id, hashOfSession(secret)],
    )
    const headers = { ...ownHeader, cookie: `${sessionCookie}=${secret}` }
    const newKey = { name: 'by a session', scope: 'write', permissions: ['wallets:send'] }
    const made = await dashboard<{ key: { id: string } }>(
      stack,
      'POST',
      `/businesses/${stack.businessId}/keys`,
      newKey,
      headers,
    )
    expect(made.status).toBe(201)
    const entries = await stack.db.query('select actor_id as by from audit_log where target = $1', [
      made.body.key.id,
    ])
    expect(entries).toEqual([{ by: owner.id }])
  })
})

describe('a key that sent from stored wallets before the permission existed', () => {
  const before = { sentFromWalletsAt: new Date('2026-11-01T00:00:00Z') }

  test('is refused with instructions for the owner, is listed, and can send after an owner has allowed it', async () => {
    const { id: wallet } = await storedWallet()
    const { id, headers } = await makeKey(before)
    const { status, body } = await sendFrom(wallet, headers)
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'insufficient_permission' })
    expect(body.message).toMatch(
      /wallets:send.*an owner has to confirm in the dashboard \(Settings, API keys\)/,
    )
    const listed = () =>
      dashboard<{ keys: { id: string }[] }>(
        stack,
        'GET',
        `/businesses/${stack.businessId}/keys?unconfirmed=true`,
        undefined,
        ownerSession,
      )
    expect((await listed()).body.keys.map((key) => key.id)).toContain(id)
    expect((await unconfirmedKeys(stack.db)).find(({ key }) => key === id)?.owners).toContain(owner.email)

    expect(await decide(id, true)).toMatchObject({
      status: 200,
      body: { permissions: null, sentFromWalletsAt: null },
    })
    expect((await decide(id, true)).status).toBe(200)
    expect((await listed()).body.keys.map((key) => key.id)).not.toContain(id)
    expect((await sendFrom(wallet, headers)).status).toBe(202)
    const entries = await stack.db.query(
      "select actor_id as by from audit_log where action = 'key.wallet_sends_allowed' and target = $1",
      [id],
    )
    expect(entries).toEqual([{ by: owner.id }])
    // Its other permissions are unchanged.
    expect((await stack.api('GET', '/crypto/wallets', undefined, headers)).status).toBe(200)
  })

  test("stays refused after an owner's refusal, and is no longer listed", async () => {
    const { id: wallet } = await storedWallet()
    const { id, headers } = await makeKey({ ...before, permissions: ['crypto:transfer'] })
    expect((await decide(id, false)).body).toMatchObject({
      permissions: ['crypto:transfer'],
      sentFromWalletsAt: null,
    })
    expect((await sendFrom(wallet, headers)).body.message).toBe(
      'This key does not have the permission wallets:send',
    )
  })

  test('passes its pending confirmation on to the key that replaces it', async () => {
    const { id } = await makeKey(before)
    const { body } = await dashboard<{ key: { sentFromWalletsAt: string } }>(
      stack,
      'POST',
      `/businesses/${stack.businessId}/keys/${id}/rotate`,
      { overlapSeconds: 0 },
      ownerSession,
    )
    expect(body.key.sentFromWalletsAt).toBe(before.sentFromWalletsAt.toISOString())
  })

  test('is found by the upgrade, with its earlier write permissions and no others', async () => {
    const { db, drop } = await createTestDatabase()
    try {
      const migrator = createMigrator(db)
      await migrator.down({ to: '0026-wallet-sends' })
      const [business, wallet, walletKey] = [newId(), newId(), newId()]
      await insertBusiness(db, business, 'shop')
      await db.query(
        "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
        [walletKey],
      )
      await db.query(
        "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', 'x', '', 'private_key', $3, '')",
        [wallet, business, walletKey],
      )
      const keyRow = async (scope: string, permissions: string[] | null) => {
        const id = newId()
        await db.query(
          "insert into api_keys (id, business_id, name, prefix, hash, scope, permissions) values ($1, $2, 'k', 'ak', $3, $4, $5)",
          [id, business, hashOfKey(id), scope, permissions],
        )
        return id
      }
      const sent = async (by: string, signer: 'wallet' | 'caller', action = 'transfer.created') => {
        const id = newId()
        await db.query(
          `insert into outgoing (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, decimals, amount, status)
           values ($1, $2, 'transfer', 'ethereum', $3, $4, 'x', 'y', 'ETH', 18, 1, 'confirmed')`,
          [id, business, signer, signer === 'wallet' ? wallet : null],
        )
        await db.query(
          "insert into audit_log (id, business_id, actor_kind, actor_id, actor_label, action, target) values ($1, $2, 'api_key', $3, 'k', $4, $5)",
          [newId(), business, by, action, id],
        )
      }
      const [unlimited, named, other, reader] = [
        await keyRow('write', null),
        await keyRow('write', ['crypto:transfer']),
        await keyRow('write', null),
        await keyRow('read', null),
      ]
      const rotated = await keyRow('write', null)
      await db.query('update api_keys set replaced_by = $2 where id = $1', [unlimited, rotated])
      await sent(unlimited, 'wallet')
      await sent(named, 'wallet')
      await sent(other, 'caller')
      await migrator.up()
      const rows = await db.query<{
        id: string
        used: boolean
        writes: string[]
        permissions: string[] | null
        root: string
      }>(
        `select id, sent_from_wallets_at is not null as used, write_permissions as writes, permissions, root_id as root from api_keys order by id`,
      )
      // Permissions of that version.
      const had = [...unnamedPermissions('write', null)].filter(
        (each) =>
          !/^(wallets:send|payment-links:.*|payouts:.*|refunds:.*|collections:.*|swaps:.*|staking:.*)$/.test(
            each,
          ),
      )
      expect(rows).toEqual([
        { id: unlimited, used: true, writes: had, permissions: null, root: unlimited },
        { id: named, used: true, writes: [], permissions: ['crypto:transfer'], root: named },
        { id: other, used: false, writes: had, permissions: null, root: other },
        { id: reader, used: false, writes: [], permissions: null, root: reader },
        { id: rotated, used: false, writes: had, permissions: null, root: unlimited },
      ])
    } finally {
      await drop()
    }
  })
})

describe('a write permission that is newer than a key', () => {
  test('is refused with instructions until the key names it; read permissions apply at once', async () => {
    const older = unnamedPermissions('write', null).filter((each) => each !== 'sessions:create')
    const { id, headers } = await makeKey({ writePermissions: older })
    const create = () =>
      stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1' }, headers)
    expect(await create()).toMatchObject({
      status: 403,
      body: {
        error: 'insufficient_permission',
        message:
          'This key does not have the permission sessions:create, which was added after the key was made: add it to the key',
      },
    })
    expect((await stack.api('GET', '/pos/sessions', undefined, headers)).status).toBe(200)
    const me = await stack.api<{ permissions: string[] }>('GET', '/auth/me', undefined, headers)
    expect(me.body.permissions).toContain('sessions:read')
    expect(me.body.permissions).not.toContain('sessions:create')
    const path = `/businesses/${stack.businessId}/keys/${id}`
    // Renaming the key, or repeating that it names no permissions, adds no permission.
    for (const body of [{ name: 'renamed' }, { permissions: null }])
      expect((await dashboard(stack, 'PATCH', path, body, ownerSession)).status).toBe(200)
    expect((await create()).status).toBe(403)
    // The key that replaces it has the same permissions.
    const { body } = await dashboard<{ key: { writePermissions: string[] } }>(
      stack,
      'POST',
      `${path}/rotate`,
      { overlapSeconds: 60 },
      ownerSession,
    )
    expect(body.key.writePermissions).toEqual(older)
  })
})

describe('limits of keys and wallets', () => {
  const limitsAt = (path: string) => `/businesses/${stack.businessId}/${path}/send-limits`
  const setAt = (path: string, body: object, headers: Headers = ownerSession) =>
    dashboard(stack, 'PUT', limitsAt(path), body, headers)
  const eth = (of: object) => ({
    amounts: [
      { chain: 'ethereum', token: 'native', perTransfer: null, perDay: null, approvalAbove: null, ...of },
    ],
    destinations: null,
  })
  const sender = () => makeKey({ permissions: ['wallets:send'] })

  async function expectRefused(
    walletId: string,
    headers: Headers,
    more: object,
    field: string,
    limit: string,
  ): Promise<void> {
    const rows = await rowsFrom(walletId)
    const { status, body } = await sendFrom(walletId, headers, more)
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'limit_exceeded' })
    expect(body.message).toMatch(new RegExp(`^${field}: .*\\(${limit}\\)$`))
    expect(await rowsFrom(walletId)).toBe(rows)
  }

  test('refuse transfers beyond them, exactly and by name, and change nothing', async () => {
    const [{ id }, { headers }] = [await storedWallet(), await sender()]
    const limits = {
      ...eth({ perTransfer: '0.002', perDay: '0.0030' }),
      destinations: [{ chain: 'ethereum', address: getAddress(recipient) }],
    }
    expect((await setAt(`wallets/${id}`, limits)).body).toMatchObject({
      amounts: [{ perTransfer: '0.002', perDay: '0.003' }],
    })
    await expectRefused(id, headers, { amount: '0.002000000000000001' }, 'amount', 'perTransfer')
    await expectRefused(id, headers, { toAddress: `0x${'ac'.repeat(20)}` }, 'toAddress', 'destinations')
    expect((await sendFrom(id, headers, { amount: '0.002' })).status).toBe(202)
    await expectRefused(id, headers, { amount: '0.001000000000000001' }, 'amount', 'perDay')
    expect((await sendFrom(id, headers, { amount: '0.001' })).status).toBe(202)
    // Other keys are bound by the wallet's limits as well.
    await expectRefused(id, { 'x-api-key': stack.apiKey }, {}, 'amount', 'perDay')
    expect((await setAt(`wallets/${id}`, { ...limits, amounts: [] })).status).toBe(200)
    await expectRefused(id, headers, {}, 'token', 'amounts')
    // To take them away waits for a second owner, and for the cooling-off time.
    expect((await setAt(`wallets/${id}`, { amounts: null, destinations: null })).status).toBe(202)
    await expectRefused(id, headers, {}, 'token', 'amounts')
    await stack.db.query('delete from send_limits where subject_id = $1', [id])
    expect((await sendFrom(id, headers)).status).toBe(202)
  })

  test('are set by owners only and audited, and errors name the field', async () => {
    const [{ id }, { id: key }] = [await storedWallet(), await sender()]
    const { headers } = await sessionOf(stack, await addMember(stack, stack.businessId, 'developer'))
    for (const path of [`wallets/${id}`, `keys/${key}`])
      expect((await setAt(path, eth({}), headers)).body.error).toBe('insufficient_role')
    const wrong: [object, string][] = [
      [eth({ perDay: '0.0000000000000000001' }), 'amounts.0.perDay'],
      [eth({ perDay: '-1' }), 'amounts.0.perDay'],
      [eth({ chain: 'tron' }), 'amounts.0.chain'],
      [{ amounts: [...eth({}).amounts, ...eth({}).amounts], destinations: null }, 'amounts.1'],
      [
        { amounts: null, destinations: [{ chain: 'ethereum', address: recipient, memo: '7' }] },
        'destinations.0.memo',
      ],
      [
        { amounts: null, destinations: [{ chain: 'ethereum', address: recipient, memoType: 'text' }] },
        'destinations.0.memo',
      ],
      [
        {
          amounts: null,
          destinations: [{ chain: 'ethereum', address: 'TQ5pPPbTgTbSVZm1TLBkG5PUGTr5AEEKcD' }],
        },
        'destinations.0.address',
      ],
    ]
    for (const [body, field] of wrong) {
      const answer = await dashboard<{ fields: { field: string }[] }>(
        stack,
        'PUT',
        limitsAt(`wallets/${id}`),
        body,
        ownerSession,
      )
      expect([answer.status, answer.body.fields[0]?.field]).toEqual([400, field])
    }
    expect(await stack.db.query('select 1 from send_limits where subject_id = $1', [id])).toEqual([])
    await setAt(`keys/${key}`, eth({ perDay: '1' }))
    const entries = await stack.db.query<{ by: string }>(
      "select actor_id as by from audit_log where action = 'key.limits_changed' and target = $1",
      [key],
    )
    expect(entries).toEqual([{ by: owner.id }])
    const { body } = await dashboard<{
      keys: { id: string; amounts: object[] | null }[]
      wallets: { id: string; amounts: object[] | null }[]
    }>(stack, 'GET', `/businesses/${stack.businessId}/senders`, undefined, ownerSession)
    expect([
      body.keys.find((each) => each.id === key)?.amounts?.length,
      body.wallets.find((each) => each.id === id)?.amounts,
    ]).toEqual([1, null])
  })

  test('are never exceeded by concurrent requests, over several wallets and over rotated keys', async () => {
    const [one, other] = [await storedWallet(), await storedWallet()]
    const key = await sender()
    await setAt(`keys/${key.id}`, eth({ perDay: '0.0075' }))
    await setAt(`wallets/${one.id}`, eth({ perDay: '0.003' }))
    const { body } = await dashboard<{ secret: string }>(
      stack,
      'POST',
      `/businesses/${stack.businessId}/keys/${key.id}/rotate`,
      { overlapSeconds: 600 },
      ownerSession,
    )
    const rotated = { 'x-api-key': body.secret }
    const amounts = ['0.001', '0.0005', '0.002', '0.0015']
    const asked = Array.from({ length: 24 }, (_, i) =>
      sendFrom(i % 3 === 0 ? one.id : other.id, i % 2 === 0 ? key.headers : rotated, {
        amount: amounts[i % 4],
      }),
    )
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 403]))
    const [sums] = await stack.db.query<{ all: string; one: string }>(
      'select sum(amount)::text as all, sum(amount) filter (where wallet_id = $1)::text as one from intents where wallet_id = any($2::uuid[])',
      [one.id, [one.id, other.id]],
    )
    expect(BigInt(sums?.all ?? 0) <= 7_500_000_000_000_000n).toBe(true)
    expect(BigInt(sums?.one ?? 0) <= 3_000_000_000_000_000n).toBe(true)
    // The smallest amount is refused only where it no longer fits.
    expect(BigInt(sums?.all ?? 0) > 7_000_000_000_000_000n).toBe(true)
  })

  test('allow one transfer of a wallet to be stored at a time: the second waits for the first, and counts it', async () => {
    const { id: walletId, payer } = await storedWallet()
    await setAt(`wallets/${walletId}`, eth({ perDay: '0.001' }))
    const amount = 600_000_000_000_000n
    const of = {
      chain: 'ethereum',
      symbol: 'ETH',
      decimals: 18,
      contract: null,
      token: 'native',
      walletId,
      memo: null,
      keyRootId: null,
    } as const
    const store = (held: Promise<void>) =>
      stack.db.tx(async (tx) => {
        await requireWithinLimits(tx, { ...of, amount, to: recipient })
        await held
        const transfer = intentOf({ from: payer.address.toLowerCase(), to: recipient, amount })
        await insertIntent(
          transfers,
          tx,
          { ...of, businessId: stack.businessId, purpose: 'transfer', signer: 'wallet', action: transfer },
          0,
          provers.api,
        )
      })
    let release: () => void = () => {}
    const first = store(new Promise<void>((resolve) => (release = resolve)))
    const hasLock = () =>
      stack.db.query(
        "select 1 from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
      )
    let second: Promise<string> = Promise.resolve('not started')
    try {
      await waitFor('the lock held by the first', async () => (await hasLock()).length > 0)
      second = store(Promise.resolve()).then(
        () => 'stored',
        (error) => error.error,
      )
      const waits = waitFor('the wait of the second', async () => {
        const rows = await stack.db.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
        )
        return rows.length > 0
      }).then(() => 'waits')
      expect(await Promise.race([second, waits])).toBe('waits')
    } finally {
      release()
    }
    await first
    expect(await second).toBe('limit_exceeded')
  })

  test('count transfers that are pending, confirmed or unknown, and not those that finally failed', async () => {
    const [{ id }, { headers }] = [await storedWallet(), await sender()]
    await setAt(`wallets/${id}`, eth({ perDay: '0.001' }))
    const { body } = await sendFrom(id, headers)
    const counts = async (status: string, isSettled: boolean) => {
      await stack.db.query(
        'update intents set status = $2, next_reconcile_at = case when $3 then null else now() end where id = $1',
        [body.id, status, isSettled],
      )
      return expectRefused(id, headers, {}, 'amount', 'perDay')
    }
    await counts('signed', false)
    await counts('unknown', false)
    await counts('confirmed', true)
    // A reorg, or a node that kept it, may still include it.
    await counts('failed', false)
    await counts('expired', false)
    await stack.db.query("update intents set status = 'failed', next_reconcile_at = null where id = $1", [
      body.id,
    ])
    const { body: next } = await sendFrom(id, headers)
    const daysOld = (more: string) =>
      stack.db.query(
        `update intents set created_at = now() - interval '72 hours', updated_at = now() - interval '24 hours 1 second' ${more} where id = $1`,
        [next.id],
      )
    // Days later it is still unsent.
    await daysOld('')
    await expectRefused(id, headers, {}, 'amount', 'perDay')
    await daysOld(", status = 'confirmed', next_reconcile_at = null")
    expect((await sendFrom(id, headers)).status).toBe(202)
  })
})
