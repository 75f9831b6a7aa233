import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  loadContract,
  loadDashboardContract,
  type Operation,
  operationsOf,
  permissionsOf,
} from '../../api/contract.ts'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { withScope } from '../support/apiKeyHeaders.ts'
import { makeReady } from '../support/auditedOperations.ts'
import type { Answered, Operations, Ready } from '../support/auditedRecipe.ts'
import { type Browser, invited, openBrowser, signedIn } from '../support/browser.ts'
import { fund, newPayer } from '../support/payers.ts'
import { type ApiAnswer, createStack, demoPassword, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Every operation that changes something: those with the permission `write` in the public contract, those of
// the dashboard that are no GET, and both ways to sign in.
const changing: { id: string; method: string; path: string; operation: Operation; dashboard: boolean }[] = [
  ...operationsOf(loadContract()).filter(
    ({ operation }) => operation['x-scope'] === 'write' || operation.operationId === 'login',
  ),
  ...operationsOf(loadDashboardContract()).filter(({ method }) => method !== 'get'),
].map(({ method, path, operation, servers }) => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path,
  operation,
  dashboard: servers[0] === '/dashboard/api',
}))
/**
 * They change nothing of consequence: a second factor that is only started, an invitation that is read, a
 * wallet that is not stored.
 */
const silent = new Set([
  'beginTotp',
  'beginPasskey',
  'beginPasskeySignIn',
  'beginPasskeyConfirmation',
  'requestReset',
  'lookAtInvitation',
  'generateWallet',
  'checkPayoutBatch',
  'checkPayoutBatchOfBusiness',
  'estimateBridgeTransferOfBusiness',
  'generateWalletOfBusiness',
  'readBalanceOfBusiness',
  'estimateTransferOfBusiness',
])

let stack: Stack
let owner: Browser
let viewer: Browser
let readKey: { 'x-api-key': string }
let given: Operations
let keyIs: { id: string; label: string }

beforeAll(async () => {
  // One connection proves, too, that no operation needs a second one while its transaction is open.
  stack = await createStack({
    chains: ['ethereum', 'base'],
    bridge: true,
    processes: ['api'],
    env: { MAIL_FROM: 'pay@example.com', DATABASE_POOL: '1', DATABASE_WAIT_MS: '10000' },
  })
  await stack.createSession()
  await stack.api('GET', '/pos/sessions/banks')
  await stack.db.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit today'; end $$;
    create trigger refuse_audit before insert on audit_log for each row execute function refuse_audit();
    alter table audit_log disable trigger refuse_audit`)
  owner = await signedIn(stack)
  viewer = (await invited(stack, owner, stack.businessId, 'viewer', 'looks@example.com')).browser
  readKey = await withScope(stack, 'read')
  const { body } = await owner.ask<{ account: { id: string } }>('GET', '/me')
  // Many recipes open a business.
  await stack.db.query('update accounts set business_limit = 100 where id = $1', [body.account.id])
  const payer = newPayer(stack.chain)
  await fund(stack, payer, { native: '10' })
  const ownerIs = { id: body.account.id, label: demoEmail }
  given = { stack, owner, ownerIs, ownerEmail: demoEmail, ownerPassword: demoPassword, payer }
  // A key has owner permissions only if it names them.
  const [key] = await stack.db.query<{ id: string; label: string }>(
    "update api_keys set permissions = $1 where name = 'demo' returning id, prefix || '… (' || name || ')' as label",
    [permissionsOf(loadContract()).map(({ permission }) => permission)],
  )
  keyIs = { id: key?.id ?? '', label: key?.label ?? '' }
})
afterAll(() => stack?.close())

interface Entry {
  actorKind: string
  actorId: string | null
  actorLabel: string
  businessId: string | null
  action: string
  target: string | null
  before: object | null
  after: object | null
  address: string | null
}
const entriesOf = (requestId: string) =>
  stack.db.query<Entry>(
    `select actor_kind as "actorKind", actor_id as "actorId", actor_label as "actorLabel", business_id as "businessId", action, target, before,
       after, address from audit_log where request_id = $1 order by id`,
    [requestId],
  )
const countEntries = async () =>
  (await stack.db.query<{ count: number }>('select count(*)::int as count from audit_log'))[0]?.count

async function carryOut(
  { method }: { method: string },
  ready: Ready,
  headers: Record<string, string>,
): Promise<ApiAnswer<Answered>> {
  const body = await ready.body?.()
  return ready.by
    ? ready.by.ask(method, ready.path, body, headers)
    : stack.api(method, ready.path, body, headers)
}

/**
 * A digest of all rows, without the columns that any use changes (last seen, last code, the list of banks),
 * and without turns and rates of partners, which come while a request waits.
 */
async function rows(): Promise<string> {
  const ignored = `array['last_used_at', 'last_used_address', 'last_seen_at', 'totp_last_step', 'counter', 'banks', 'as_of', 'asked_at', 'next_ask_at']`
  const tables = await stack.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not in ('partner_turns', 'partner_rates')",
  )
  const each = tables.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(h, '' order by h)) as h
    from (select md5((to_jsonb(t) - ${ignored})::text) as h from "${name}" t) x`,
  )
  return JSON.stringify(await stack.db.query(`select * from (${each.join(' union all ')}) y order by name`))
}

describe('each change leaves exactly one entry per thing changed, in the same transaction', () => {
  test.each(changing)('$id', async (operation) => {
    const ready = await makeReady(operation.id, given)
    const replays = operation.dashboard ? {} : { 'idempotency-key': `audit-${operation.id}` }
    const before = await rows()
    if (!silent.has(operation.id)) {
      await stack.db.query('alter table audit_log enable trigger refuse_audit')
      const refused = await carryOut(operation, ready, replays).finally(() =>
        stack.db.query('alter table audit_log disable trigger refuse_audit'),
      )
      expect([refused.status, (await rows()) === before]).toEqual([500, true])
    }

    const requestId = `done-${operation.id}`
    const count = (await countEntries()) ?? 0
    const done = await carryOut(operation, ready, { ...replays, 'x-request-id': requestId })
    expect([done.status, JSON.stringify(done.body)]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^(?!.*"error")/),
    ])
    const entries = ready.entries(done.body)
    const { account } = done.body
    const actor =
      ready.actor ?? (operation.id === 'acceptInvitation' ? { id: account.id, label: account.email } : keyIs)
    const who = {
      actorKind: actor === keyIs ? 'api_key' : 'account',
      actorId: actor.id,
      actorLabel: actor.label,
      address: '127.0.0.1',
    }
    expect(await entriesOf(requestId)).toEqual(
      entries.map((entry) => ({ before: null, after: null, ...entry, ...who })),
    )
    expect(await countEntries()).toBe(count + entries.length)

    if (operation.method === 'POST' && !operation.dashboard && !operation.operation['x-secret-answer']) {
      const again = await carryOut(operation, ready, { ...replays, 'x-request-id': `again-${operation.id}` })
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([done.status, 'true'])
      expect(await countEntries()).toBe(count + entries.length)
    }
  })
})

test('an access token is recorded as its account', async () => {
  const { body } = await stack.api<{ accessToken: string }>('POST', '/auth/login', {
    email: demoEmail,
    password: demoPassword,
  })
  const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/pos/sessions`
  const headers = {
    authorization: `Bearer ${body.accessToken}`,
    'content-type': 'application/json',
    'x-request-id': 'done-by-token',
    'x-business-id': stack.businessId,
  }
  const requested = JSON.stringify({ chain: stack.chain, token: 'USDC', amount: '1' })
  expect((await fetch(url, { method: 'POST', headers, body: requested })).status).toBe(201)
  const { id, label } = given.ownerIs
  expect(await entriesOf('done-by-token')).toMatchObject([
    { action: 'session.created', actorKind: 'account', actorId: id, actorLabel: label },
  ])
})

test('a refused request leaves no entry', async () => {
  const before = await countEntries()
  const anonymous = openBrowser(stack)
  for (const { id, method, path, operation, dashboard } of changing) {
    const url = path.replace('{businessId}', stack.businessId).replaceAll(/\{\w+\}/g, stack.businessId)
    const unknownField = { nothing: 'of the kind' }
    const role = operation['x-role'] ?? 'developer'
    const requests = dashboard
      ? [
          anonymous.ask(method, url, unknownField, { 'x-cowry-dashboard': '0' }),
          anonymous.ask(method, url, unknownField),
          owner.ask(method, url, unknownField),
          ...(['account', 'viewer', 'cashier'].includes(role) || operation['x-scope'] !== 'write'
            ? []
            : [viewer.ask(method, url)]),
        ]
      : [
          stack.api(method, url, unknownField, { 'x-api-key': 'ak_test_nothing' }),
          stack.api(method, url, unknownField),
          ...(operation['x-scope'] === 'public' ? [] : [stack.api(method, url, undefined, readKey)]),
        ]
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect([id, statuses.filter((status) => ![400, 401, 403, 404].includes(status))]).toEqual([id, []])
  }
  expect(await countEntries()).toBe(before)
})

test('a wrong password leaves no entry: the log of the process has it, with the address and without what was typed', async () => {
  const anonymous = openBrowser(stack)
  await anonymous.ask(
    'POST',
    '/sign-in',
    { email: demoEmail, password: 'wrong-lantern' },
    { 'x-request-id': 'wrong-password' },
  )
  await anonymous.ask(
    'POST',
    '/sign-in',
    { email: 'unknown@example.com', password: 'wrong-lantern' },
    { 'x-request-id': 'unknown-account' },
  )
  expect([...(await entriesOf('wrong-password')), ...(await entriesOf('unknown-account'))]).toEqual([])
  const failures = () =>
    stack
      .logs()
      .split('\n')
      .filter((line) => line.includes('"sign-in failed"') && /wrong-password|unknown-account/.test(line))
  await waitFor('both lines', async () => failures().length >= 2)
  const lines = failures()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      account: given.ownerIs.id,
      address: '127.0.0.1',
      requestId: 'wrong-password',
      outcome: 'invalid_credentials',
    },
    { account: null, address: '127.0.0.1', requestId: 'unknown-account', outcome: 'invalid_credentials' },
  ])
  expect(lines.join()).not.toMatch(/lantern|@/)
})

describe('searching the log', () => {
  interface Page {
    entries: { id: string; action: string; businessId: string | null; actor: { id: string } }[]
    total: number
    nextCursor: string | null
  }
  const asked = async (query: string, businessId = stack.businessId) =>
    (await owner.ask<Page>('GET', `/businesses/${businessId}/audit?${query}`)).body

  test('members see their business alone, and only its own entries', async () => {
    const other = (await owner.ask<{ id: string }>('POST', '/businesses', { name: 'Quiet' })).body.id
    expect((await asked('', other)).entries).toMatchObject([
      { action: 'business.created', businessId: other },
    ])
    const mine = await asked('limit=100')
    expect(mine.entries.filter(({ businessId }) => businessId !== stack.businessId)).toEqual([])
    expect(mine.total).toBeGreaterThan(10)
    expect((await viewer.ask('GET', `/businesses/${other}/audit`)).status).toBe(404)
    expect((await viewer.ask('GET', '/operator/audit')).status).toBe(403)
    expect((await owner.ask<Page>('GET', '/operator/audit')).body.total).toBe(await countEntries())
  })

  test('by action and actor together, page by page without gap or repetition', async () => {
    const filter = `action=member.joined&actorId=${(await asked('action=member.joined')).entries[0]?.actor.id}`
    expect((await asked(filter)).total).toBe(1)
    const whole = (await asked('q=member.&limit=100')).entries.map(({ id }) => id)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await asked(`q=member.&limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(whole.length).toBeGreaterThan(7)
    expect(seen).toEqual(whole)
  })

  test.each(['actorId=me', 'from=yesterday', 'to=2026-13-01T00:00:00Z', 'q=', 'cursor=x', 'nothing=1'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await owner.ask<{ fields: { field: string }[] }>(
        'GET',
        `/businesses/${stack.businessId}/audit?${query}`,
      )
      expect([status, body.fields[0]?.field]).toEqual([400, query.split('=')[0]])
    },
  )
})
