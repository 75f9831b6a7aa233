import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { revokeAllSignIns } from '../../src/accounts/signIns.ts'
import { changeKey, revokeKey } from '../../src/apiKeys/changeKey.ts'
import { keepKey } from '../../src/apiKeys/findKey.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { changeMember, removeMember } from '../../src/businesses/members.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import type { Role } from '../../src/members/role.ts'
import type { ModelDb, ModelTx } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { fund, newPayer } from '../support/payers.ts'
import { type ApiAnswer, createStack, demoPassword, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { makeWaitingTransfer } from '../support/waitingTransfer.ts'
import { streamOf } from './stream.ts'

/** Requests that pass the first check and lose their right while in progress: they have no effect. */

let stack: Stack
const operator = systemActor('a test')

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(() => stack?.close())

type Answer = ApiAnswer<{ error?: string; token?: string }>
/** The stack's database within one transaction. */
type Within = { db: ModelDb }

/**
 * Blocks a request at a lock after its first check and before its effect, runs `happens`, then commits and
 * lets the request go on.
 */
async function meanwhile(
  lock: [sql: string, values?: unknown[]],
  ask: () => Promise<Answer>,
  happens: (within: Within) => Promise<unknown>,
) {
  let asking: Promise<Answer> | undefined
  await stack.db.tx(async (tx: ModelTx) => {
    await tx.query(...lock)
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    asking = ask()
    // Awaited below: must not count as unhandled until then.
    asking.catch(() => {})
    await waitFor(
      'the request at the lock',
      async () =>
        (
          await stack.db.query('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
            own?.pid,
          ])
        ).length > 0,
      10_000,
    )
    await happens({ db: { ...stack.db, tx: (work) => work(tx), query: tx.query } })
  })
  if (!asking) throw new Error('no request was sent')
  const { status, body } = await asking
  return [status, body.error]
}

/** Blocks writes; reads and row locks still work. */
const writesTo = (table: string): [string] => [`lock table ${table} in share row exclusive mode`]
const rowOf = (business: string): [string, unknown[]] => [
  'select 1 from businesses where id = $1 for update',
  [business],
]

interface Member {
  business: string
  person: Person
  headers: Headers
}

/** A signed-in member of a business of another person. */
async function member(role: Role): Promise<Member> {
  const business = await addBusiness(stack, await addPerson(stack))
  const person = await addMember(stack, business, role)
  return { business, person, headers: (await sessionOf(stack, person)).headers }
}

const auditedOf = async (actorId: string) =>
  (
    await stack.db.query<{ action: string }>('select action from audit_log where actor_id = $1 order by id', [
      actorId,
    ])
  ).map(({ action }) => action)

const losses = {
  removed: {
    to: (within: Within, { business, person }: Member) => removeMember(within, operator, business, person.id),
    refusal: [404, 'Not found'],
  },
  'demoted to viewer': {
    to: (within: Within, { business, person }: Member) =>
      changeMember(within, operator, business, person.id, 'viewer'),
    refusal: [403, 'insufficient_role'],
  },
  'signed out': {
    to: (within: Within, { person }: Member) =>
      within.db.tx((tx) => revokeAllSignIns(tx, operator, person.id)),
    refusal: [401, 'not_signed_in'],
  },
  'suspended with the business': {
    to: (within: Within, { business }: Member) =>
      setApproval(within, operator, business, 'suspended', 'papers'),
    refusal: [403, 'business_suspended'],
  },
}
type Loss = keyof typeof losses
const allLosses = Object.keys(losses) as Loss[]

interface Act {
  what: string
  role: Role
  lock: (member: Member) => [sql: string, values?: unknown[]]
  ask: (member: Member) => Promise<[method: string, path: string, body?: object]>
  /** Finds rows if the effect happened. */
  done: string
  losses?: Loss[]
}

const key = { businessId: '', name: 'till', scope: 'write' as const }
const acts: Act[] = [
  {
    what: 'creates a key',
    role: 'developer',
    lock: () => writesTo('api_keys'),
    ask: async () => ['POST', '/keys', { name: 'till', scope: 'write' }],
    done: 'select 1 from api_keys where business_id = $1',
    losses: allLosses,
  },
  {
    what: 'rotates a key',
    role: 'developer',
    lock: () => writesTo('api_keys'),
    ask: async ({ business }) => {
      const { id } = await storeKey(stack, { ...key, businessId: business, key: generateApiKey('test') })
      return ['POST', `/keys/${id}/rotate`, { overlapSeconds: 0 }]
    },
    done: 'select 1 from api_keys where business_id = $1 and (replaced_by is not null or created_by is not null)',
  },
  {
    what: 'invites an owner',
    role: 'owner',
    lock: ({ business }) => rowOf(business),
    ask: async () => ['POST', '/invitations', { email: `${newId()}@cowry.test`, role: 'owner' }],
    done: 'select 1 from invitations where business_id = $1 and accepted_at is null',
    losses: allLosses,
  },
  {
    what: "changes a member's role",
    role: 'owner',
    lock: ({ business }) => rowOf(business),
    ask: async ({ business }) => [
      'PATCH',
      `/members/${(await addMember(stack, business, 'viewer')).id}`,
      { role: 'owner' },
    ],
    done: "select 1 from audit_log where business_id = $1 and action = 'member.changed' and actor_kind = 'account'",
  },
  {
    what: 'changes payment settings',
    role: 'owner',
    lock: ({ business }) => rowOf(business),
    ask: async () => ['PUT', '/payments', { localCurrency: 'NGN', accepted: null }],
    done: 'select 1 from businesses where id = $1 and local_currency is not null',
  },
  {
    what: 'adds a webhook endpoint',
    role: 'developer',
    // This lock precedes that of the business: an addition first takes a number of its events.
    lock: () => writesTo('event_sequences'),
    ask: async () => ['POST', '/webhook-endpoints', { url: 'https://example.com/hook' }],
    done: 'select 1 from webhook_endpoints where business_id = $1',
    losses: allLosses,
  },
]

describe.each(acts)('a member who $what', ({ role, lock, ask, done, losses: tried = ['removed'] }) => {
  test.each(tried)('and is %s meanwhile is refused without any effect', async (loss) => {
    const subject = await member(role)
    const [method, path, body] = await ask(subject)
    const send = () =>
      dashboard<{ error?: string }>(
        stack,
        method,
        `/businesses/${subject.business}${path}`,
        body,
        subject.headers,
      )
    const refusal = await meanwhile(lock(subject), send, (within) => losses[loss].to(within, subject))
    expect(refusal).toEqual(losses[loss].refusal)
    expect(await stack.db.query(done, [subject.business])).toEqual([])
    expect(await auditedOf(subject.person.id)).toEqual(['member.joined'])
  })
})

test('an owner who is demoted to developer meanwhile gets no key that only owners may create, although developers may create keys', async () => {
  const subject = await member('owner')
  const body = { name: 'rules', scope: 'write', permissions: ['finality:write'] }
  const send = () =>
    dashboard<{ error?: string }>(
      stack,
      'POST',
      `/businesses/${subject.business}/keys`,
      body,
      subject.headers,
    )
  const refusal = await meanwhile(writesTo('api_keys'), send, (within) =>
    changeMember(within, operator, subject.business, subject.person.id, 'developer'),
  )
  expect(refusal).toEqual([403, 'insufficient_role'])
  expect(await stack.db.query('select 1 from api_keys where business_id = $1', [subject.business])).toEqual(
    [],
  )
})

describe('a program that', () => {
  const sends = async () => {
    const [payer, to] = [newPayer('ethereum'), newPayer('ethereum')]
    await fund(stack, payer, { native: '1' })
    return { chain: 'ethereum', fromPrivateKey: payer.privateKey, toAddress: to.address, amount: '0.1' }
  }
  // A session takes its address before it checks its caller again.
  const calls: [what: string, locked: string, table: string, path: string, body: () => Promise<object>][] = [
    [
      'creates a session',
      'deposit_addresses',
      'pos_sessions',
      '/pos/sessions',
      async () => ({ chain: 'ethereum', token: 'USDC', amount: '100' }),
    ],
    ['sends a transfer', 'intents', 'intents', '/crypto/transfers/tokens', sends],
  ]
  const ends: [
    how: string,
    refusal: [number, string],
    to: (within: Within, business: string, id: string) => Promise<unknown>,
  ][] = [
    [
      'has its key revoked',
      [401, 'Invalid API key'],
      (within, business, id) => revokeKey(within, operator, business, id),
    ],
    [
      'has its key limited',
      [403, 'insufficient_permission'],
      (within, business, id) => {
        const known = new Map([['crypto:read', { scope: 'read' as const, minRole: 'viewer' as const }]])
        const manager = { actor: operator, role: 'owner' as const }
        return changeKey({ ...within, environment: 'test', knownPermissions: known }, manager, business, id, {
          permissions: ['crypto:read'],
        })
      },
    ],
    [
      'has its business suspended',
      [403, 'business_suspended'],
      (within, business) => setApproval(within, operator, business, 'suspended', 'papers'),
    ],
  ]

  describe.each(calls)('%s', (_what, locked, table, path, body) => {
    test.each(ends)('and %s meanwhile is refused, and nothing is stored', async (_how, refusal, to) => {
      const business = await addBusiness(stack, await addPerson(stack))
      const secret = generateApiKey('test')
      const { id } = await storeKey(stack, { ...key, businessId: business, key: secret })
      const sent = await body()
      const send = () =>
        stack.api<{ error?: string }>('POST', path, sent, {
          'x-api-key': secret.reveal(),
          'idempotency-key': newId(),
        })
      expect(await meanwhile(writesTo(locked), send, (within) => to(within, business, id))).toEqual(refusal)
      expect(await stack.db.query(`select 1 from ${table} where business_id = $1`, [business])).toEqual([])
      // The same idempotency key may be used again.
      expect(
        await stack.db.query('select 1 from idempotency_keys where business_id = $1', [business]),
      ).toEqual([])
    })
  })

  test('uses the access token of a member who is removed meanwhile is refused, and nothing is stored', async () => {
    const subject = await member('developer')
    const token = await tokenOf(stack, subject.person)
    const port = stack.processes.get('api')?.port()
    const send = async (): Promise<Answer> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/pos/sessions`, {
        method: 'POST',
        headers: { ...token, 'content-type': 'application/json' },
        body: JSON.stringify({ chain: 'ethereum', token: 'USDC', amount: '100' }),
      })
      return {
        status: response.status,
        body: (await response.json()) as { error?: string },
        headers: response.headers,
      }
    }
    expect(
      await meanwhile(writesTo('deposit_addresses'), send, (within) => losses.removed.to(within, subject)),
    ).toEqual([404, 'Not found'])
    expect(
      await stack.db.query('select 1 from pos_sessions where business_id = $1', [subject.business]),
    ).toEqual([])
  })
})

test('a key in constant use is revoked at once: later requests are refused, and those in progress have ended', async () => {
  const business = await addBusiness(stack, await addPerson(stack))
  const { id } = await storeKey(stack, { ...key, businessId: business, key: generateApiKey('test') })
  const stream = streamOf(stack.db, async (tx) => (await keepKey(tx, id)) !== null)
  try {
    await waitFor('a stream', async () => stream.checks() > 3)
    await revokeKey(stack, operator, business, id)
    expect(stream.allowedInProgress()).toBe(0)
    await stream.running
  } finally {
    await stream.stop()
  }
})

describe('an operator who lost the role', () => {
  function account(...command: string[]): Promise<string> {
    const env = { DATABASE_URL: stack.databaseUrl, APP_KEY: appKey, BASE_URL: 'https://pay.example.com/' }
    const args = [...commandArguments, 'account', ...command]
    return new Promise((done, fail) => {
      execFile(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), env }, (error, out) =>
        error ? fail(error) : done(out),
      )
    })
  }
  const fees = { feePercent: '9', fxMarginPercent: '9' }
  /** Path of the operation that gives up a held transfer of a business. */
  async function givingUp(business: string): Promise<string> {
    const { transfer } = await makeWaitingTransfer(stack.db, business)
    await setApproval(stack, operator, business, 'suspended', 'papers')
    return `/held-transfers/${transfer}/give-up`
  }
  const asks: [
    what: string,
    operation: string | ((business: string) => Promise<string>),
    method: string,
    body: object | undefined,
  ][] = [
    ['cannot approve', '/approve', 'POST', undefined],
    ['cannot suspend', '/suspend', 'POST', { reason: 'revenge' }],
    ['cannot set a fee', '/fees', 'PUT', fees],
    ['cannot raise a cap', '/caps', 'PUT', { openSessions: 1_000_000 }],
    ['cannot give up a transfer', givingUp, 'POST', undefined],
    ['cannot invite an owner', '/owner-invitation', 'POST', { ownerEmail: `${newId()}@cowry.test` }],
  ]
  test.each(asks)('%s with a request that started before', async (_what, operation, method, body) => {
    const [person, owner] = [await addPerson(stack, { operator: true }), await addPerson(stack)]
    const business = await addBusiness(stack, owner)
    const path = typeof operation === 'string' ? operation : await operation(business)
    if (path === '/owner-invitation')
      await stack.db.query('delete from members where business_id = $1', [business])
    const { headers } = await sessionOf(stack, person)
    const rows = async () => [
      await stack.db.query('select * from businesses where id = $1', [business]),
      await stack.db.query('select * from business_caps where business_id = $1', [business]),
      await stack.db.query('select * from intents where business_id = $1', [business]),
    ]
    const before = await rows()
    const send = () =>
      dashboard<{ error?: string }>(stack, method, `/operator/businesses/${business}${path}`, body, headers)
    const refusal = await meanwhile(rowOf(business), send, async ({ db }) =>
      db.tx((tx) =>
        tx.query(
          'update accounts set operator = false where id = (select id from accounts where id = $1 for update)',
          [person.id],
        ),
      ),
    )
    expect(refusal).toEqual([403, 'insufficient_role'])
    expect(await rows()).toEqual(before)
    expect(await auditedOf(person.id)).toEqual([])
  })

  test('loses all sent links: earlier ones, and the one being sent', async () => {
    const person = await addPerson(stack, { operator: true })
    const { headers } = await sessionOf(stack, person)
    const open = (email = `${newId()}@cowry.test`) =>
      dashboard<{ token: string }>(
        stack,
        'POST',
        '/operator/businesses',
        { name: 'Opened', ownerEmail: email },
        headers,
      )
    const before = await open()
    expect(before.status).toBe(201)
    let underWay: ReturnType<typeof open> | undefined
    let removing: Promise<string> | undefined
    await stack.db.tx(async (tx) => {
      await tx.query(...writesTo('invitations'))
      underWay = open()
      const atLocks = (count: number) => async () =>
        (
          await stack.db.query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).length >= count
      await waitFor('the request at the lock', atLocks(1))
      removing = account('remove-operator', person.email)
      // The command waits as well, at its first lock.
      await waitFor('the command at a lock', atLocks(2))
    })
    expect(await removing).toMatch(
      /is no longer an operator of the platform; 2 invitations that they sent are void/,
    )
    for (const answer of [before, await underWay]) {
      const token = answer?.body.token
      const look = await dashboard(stack, 'POST', '/invitations/look', { token }, ownHeader)
      const accept = await dashboard(
        stack,
        'POST',
        '/invitations/accept',
        { token, name: 'Eve', password: 'quiet-harbour-lantern-7' },
        ownHeader,
      )
      expect([look.status, accept.status]).toEqual([404, 404])
    }
  })
})

test('an invitation is void once its sender may no longer invite, for any reason', async () => {
  const { business, person } = await member('owner')
  const friend = await addPerson(stack)
  const offer = {
    purpose: 'member',
    businessId: business,
    role: 'owner',
    email: friend.email,
    invitedBy: person.id,
  } as const
  const { token } = await makeInvitation(stack.db, offer)
  const { headers } = await sessionOf(stack, friend)
  await stack.db.query('delete from members where business_id = $1 and account_id = $2', [
    business,
    person.id,
  ])
  for (const path of ['/invitations/look', '/invitations/join'])
    expect((await dashboard(stack, 'POST', path, { token: token.reveal() }, headers)).status).toBe(404)
})

test('a person who is signed out while joining by a link does not join', async () => {
  const business = await addBusiness(stack, await addPerson(stack))
  const person = await addPerson(stack)
  const { token } = await makeInvitation(stack.db, {
    purpose: 'member',
    businessId: business,
    role: 'owner',
    email: person.email,
    invitedBy: null,
  })
  const { headers } = await sessionOf(stack, person)
  const send = () =>
    dashboard<{ error?: string }>(stack, 'POST', '/invitations/join', { token: token.reveal() }, headers)
  const refusal = await meanwhile(writesTo('invitations'), send, (within) =>
    losses['signed out'].to(within, { business, person, headers }),
  )
  expect(refusal).toEqual([401, 'not_signed_in'])
  expect(await stack.db.query('select 1 from members where account_id = $1', [person.id])).toEqual([])
})

test("leaving, signing out or lowering one's own role succeeds, although it removes the right to do so", async () => {
  const [leaving, lowering] = [await member('owner'), await member('owner')]
  const ask = (path: string, { headers }: Member, body?: object, method = 'POST') =>
    dashboard(stack, method, path, body, headers)
  expect((await ask(`/businesses/${leaving.business}/leave`, leaving)).status).toBe(200)
  expect(
    (
      await ask(
        `/businesses/${lowering.business}/members/${lowering.person.id}`,
        lowering,
        { role: 'viewer' },
        'PATCH',
      )
    ).status,
  ).toBe(200)
  expect((await ask('/sign-out', leaving)).status).toBe(200)
  expect((await ask('/sign-out-everywhere', lowering)).status).toBe(200)
  expect(await auditedOf(leaving.person.id)).toEqual(['member.joined', 'member.left', 'account.signed_out'])
  expect(await auditedOf(lowering.person.id)).toEqual([
    'member.joined',
    'member.changed',
    'account.signed_out_everywhere',
  ])
})

describe('locks are taken in one order, so that requests cannot deadlock', () => {
  interface Own {
    person: Person
    headers: Headers
    business: string
    other: string
  }
  const own = async (): Promise<Own> => {
    const person = await addPerson(stack)
    const business = await addBusiness(stack, person)
    await addMember(stack, business, 'owner')
    await stack.db.query('update accounts set default_business_id = $2 where id = $1', [person.id, business])
    return {
      person,
      business,
      other: await addBusiness(stack, person),
      headers: (await sessionOf(stack, person)).headers,
    }
  }
  const proof = async ({ email }: Person) => {
    const { token } = await makeInvitation(stack.db, {
      purpose: 'prove',
      email,
      invitedBy: null,
      isMailed: true,
    })
    return token.reveal()
  }
  const password = { currentPassword: demoPassword, newPassword: 'another-harbour-lantern-8' }
  type Ask = [method: string, path: string, body?: object]
  const asks: [what: string, status: number, ask: (own: Own) => Ask | Promise<Ask>][] = [
    ['ends a session', 404, () => ['POST', `/me/sign-ins/${newId()}/revoke`]],
    ['ends every session', 200, () => ['POST', '/sign-out-everywhere']],
    ['opens a business', 201, () => ['POST', '/businesses', { name: 'Second' }]],
    ['chooses a default', 200, ({ other }) => ['PUT', '/me/default-business', { businessId: other }]],
    ['chooses no default', 200, () => ['PUT', '/me/default-business', { businessId: null }]],
    [
      'proves the address',
      200,
      async ({ person }) => ['POST', '/invitations/join', { token: await proof(person) }],
    ],
    ['leaves the default', 200, ({ business }) => ['POST', `/businesses/${business}/leave`]],
    ['changes the name', 200, () => ['PATCH', '/me', { name: 'Eve' }]],
    ['changes the password', 200, () => ['POST', '/me/password', password]],
    ['starts a second factor', 200, () => ['POST', '/me/totp', { password: demoPassword }]],
  ]
  /**
   * Take the same locks as these operations: the account before its sign-ins, which are locked while the
   * requests wait.
   */
  const others = {
    'another password is set': ['select 1 from accounts where id = $1 for update'],
    'a session is ended': ['select 1 from accounts where id = $1 for no key update'],
  }
  async function sendWhileLocked(
    id: string,
    first: readonly string[],
    send: () => Promise<Answer>[],
  ): Promise<Answer[]> {
    let asked: Promise<Answer>[] = []
    await stack.db.tx(async (tx) => {
      for (const lock of first) await tx.query(lock, [id])
      const [self] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      asked = send()
      for (const asking of asked) asking.catch(() => {})
      const atLocks = `with recursive behind (pid) as (select $1::int union select a.pid from pg_stat_activity a, behind where behind.pid = any(pg_blocking_pids(a.pid)))
        select 1 from behind offset $2`
      await waitFor(
        'the requests at a lock',
        async () => (await stack.db.query(atLocks, [self?.pid, asked.length])).length > 0,
        10_000,
      )
      await tx.query('select 1 from accounts where id = $1 for no key update', [id])
      await tx.query('select 1 from sign_ins where account_id = $1 for update', [id])
    })
    return Promise.all(asked)
  }

  describe.each(Object.entries(others))('while %s', (_what, first) => {
    test.each(asks)('a person who %s is answered', async (_ask, status, ask) => {
      const subject = await own()
      const [method, path, body] = await ask(subject)
      const [answer] = await sendWhileLocked(subject.person.id, first, () => [
        dashboard(stack, method, path, body, subject.headers),
      ])
      expect(answer?.status).toBe(status)
    })
  })

  test('a person who chooses a default is answered while another password is set and memberships are locked', async () => {
    const { person, headers, other } = await own()
    const memberships = ['select 1 from members where account_id = $1 for update']
    const [answer] = await sendWhileLocked(person.id, memberships, () => [
      dashboard(stack, 'PUT', '/me/default-business', { businessId: other }, headers),
    ])
    expect(answer?.status).toBe(200)
  })

  test('of two concurrent password changes the first succeeds, and the second finds the current password wrong', async () => {
    const { person, headers } = await own()
    const send = () =>
      [1, 2].map(() => dashboard<{ error?: string }>(stack, 'POST', '/me/password', password, headers))
    // The lock of a sign-in, which both requests pass.
    const answers = await sendWhileLocked(person.id, ['select 1 from accounts where id = $1 for share'], send)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('an attacker with a session cannot keep the owner from a new password by constantly ending sessions', async () => {
    const { person, headers } = await own()
    let isOver = false
    const seen = new Set<number>()
    const attack = async () => {
      while (!isOver)
        seen.add(
          (await dashboard(stack, 'POST', `/me/sign-ins/${newId()}/revoke`, undefined, headers)).status,
        )
    }
    const attacks = Promise.all([attack(), attack(), attack()])
    try {
      await waitFor('an attack', async () => seen.has(404))
      const { token } = await makeInvitation(stack.db, {
        purpose: 'reset',
        email: person.email,
        invitedBy: null,
      })
      const credentials = { token: token.reveal(), password: 'another-harbour-lantern-8' }
      expect((await dashboard(stack, 'POST', '/invitations/accept', credentials, ownHeader)).status).toBe(200)
      await waitFor('the end of the session', async () => seen.has(401))
    } finally {
      isOver = true
      await attacks
    }
    expect([...seen].toSorted()).toEqual([401, 404])
  })
})
