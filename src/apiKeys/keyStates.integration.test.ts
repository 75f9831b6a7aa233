import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { createBusiness } from '../businesses/manageBusiness.ts'
import type { ApiError } from '../platform/errors.ts'
import { changeKey, revokeKey, rotateKey } from './changeKey.ts'
import { createKey, type KeysContext } from './createKey.ts'
import { findKey } from './findKey.ts'
import type { KeyManager, KnownPermissions } from './limits.ts'
import { listKeys } from './listKeys.ts'
import type { Scope } from './model.ts'

let database: TestDatabase
let ctx: KeysContext
let ownerId: string
const actor = systemActor('test')
const manager: KeyManager = { actor, role: 'owner' }
const states = ['active', 'expired', 'revoked'] as const
type State = (typeof states)[number]

beforeAll(async () => {
  database = await createTestDatabase()
  const knownPermissions: KnownPermissions = new Map([
    ['sessions:read', { scope: 'read', minRole: 'viewer' }],
    ['sessions:create', { scope: 'write', minRole: 'developer' }],
    ['finality:write', { scope: 'write', minRole: 'owner' }],
  ])
  ctx = { db: database.db, environment: 'test', knownPermissions }
  ownerId = (await createAccount(database.db, { email: 'a@example.com', name: 'A', passwordHash: 'x' })).id
})
afterAll(() => database?.drop())

/** The test's model of a key. */
interface Known {
  id: string
  text: string
  scope: Scope
  state: State
  rotated: boolean
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: ApiError) => `${error.status} ${error.error}`,
  )

/** A change of one key, with its expected outcome. */
const steps: Record<
  string,
  (known: Known, businessId: string) => Promise<{ got: string; must: string; made?: Known }>
> = {
  async rename(key, businessId) {
    return {
      got: await refusal(changeKey(ctx, manager, businessId, key.id, { name: 'b' })),
      must: key.state === 'active' ? 'done' : '409 key_not_active',
    }
  },
  async 'set an expiry'(key, businessId) {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const ifActive = key.rotated ? '409 key_replaced' : 'done'
    const must = key.state === 'active' ? ifActive : '409 key_not_active'
    return { got: await refusal(changeKey(ctx, manager, businessId, key.id, { expiresAt })), must }
  },
  rotate: (key, businessId) => rotated(key, businessId, 3600),
  'rotate without overlap': (key, businessId) => rotated(key, businessId, 0),
  async revoke(key, businessId) {
    const got = await refusal(revokeKey(ctx, actor, businessId, key.id))
    key.state = 'revoked'
    return { got, must: 'done' }
  },
  async 'let it expire'(key) {
    await database.db.query("update api_keys set expires_at = now() - interval '1 ms' where id = $1", [
      key.id,
    ])
    if (key.state === 'active') key.state = 'expired'
    return { got: 'done', must: 'done' }
  },
}

async function rotated(
  key: Known,
  businessId: string,
  overlap: number,
): Promise<{ got: string; must: string; made?: Known }> {
  if (key.state !== 'active' || key.rotated) {
    const must = key.state === 'active' ? '409 key_replaced' : '409 key_not_active'
    return { got: await refusal(rotateKey(ctx, manager, businessId, key.id, overlap)), must }
  }
  const next = await rotateKey(ctx, manager, businessId, key.id, overlap)
  key.rotated = true
  if (overlap === 0) key.state = 'expired'
  return {
    got: 'done',
    must: 'done',
    made: { id: next.key.id, text: next.secret.reveal(), scope: key.scope, state: 'active', rotated: false },
  }
}

/** Random sequences alone would not always reach every refusal. */
const everyRefusal: [string, number][][] = [
  [
    ['rotate', 0],
    ['rotate', 0],
    ['rotate without overlap', 0],
    ['set an expiry', 0],
  ],
  [
    ['revoke', 0],
    ['rename', 0],
    ['set an expiry', 0],
    ['rotate', 0],
    ['rotate without overlap', 0],
  ],
]

test('after any sequence of changes each key is active, expired or revoked, is valid only while active, keeps its scope, and is listed with its state', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(9)), { minLength: 4, maxLength: 14 }),
      fc.constantFrom<Scope>('read', 'write'),
      async (wanted, scope) => {
        const { id: businessId } = await createBusiness(ctx, actor, ownerId, { name: 'B' })
        const first = await createKey(ctx, manager, businessId, { name: 'a', scope })
        const keys: Known[] = [
          { id: first.key.id, text: first.secret.reveal(), scope, state: 'active', rotated: false },
        ]
        for (const [name, index] of wanted) {
          const key = keys[index % keys.length]
          const step = steps[name]
          if (!key || !step) throw new Error('no such step')
          const { got, must, made } = await step(key, businessId)
          expect([name, got]).toEqual([name, must])
          seen.add(`${name}: ${must}`)
          if (made) keys.push(made)
          for (const each of keys) {
            const opened = await findKey(ctx, each.text)
            expect([each.id, opened?.id ?? null, opened?.scope ?? each.scope]).toEqual([
              each.id,
              each.state === 'active' ? each.id : null,
              each.scope,
            ])
          }
          for (const state of states) {
            const listed = await listKeys(
              ctx,
              businessId,
              { state: [state] },
              { page: 1, limit: 100, sort: 'ASC' },
            )
            const are = keys.filter((each) => each.state === state).map(({ id }) => id)
            expect([state, listed.keys.map(({ id }) => id), listed.total]).toEqual([state, are, are.length])
            expect(listed.keys.every((each) => each.state === state)).toBe(true)
          }
        }
      },
    ),
    { numRuns: 15, examples: everyRefusal.map((steps) => [steps, 'read'] as [[string, number][], Scope]) },
  )
  expect([...seen].filter((each) => !each.endsWith('done')).toSorted()).toEqual([
    'rename: 409 key_not_active',
    'rotate without overlap: 409 key_not_active',
    'rotate without overlap: 409 key_replaced',
    'rotate: 409 key_not_active',
    'rotate: 409 key_replaced',
    'set an expiry: 409 key_not_active',
    'set an expiry: 409 key_replaced',
  ])
})

test('of several concurrent rotations of a key one succeeds', async () => {
  const { id: businessId } = await createBusiness(ctx, actor, ownerId, { name: 'B' })
  const { key } = await createKey(ctx, manager, businessId, { name: 'a', scope: 'read' })
  const got = await Promise.all([1, 2, 3].map(() => refusal(rotateKey(ctx, manager, businessId, key.id, 60))))
  expect(got.toSorted()).toEqual(['409 key_replaced', '409 key_replaced', 'done'])
  expect((await listKeys(ctx, businessId, {}, { page: 1, limit: 100, sort: 'ASC' })).total).toBe(2)
})

test('a rotated key has all limits of the old one, which ends with its overlap or at its own expiry, if earlier', async () => {
  const { id: businessId } = await createBusiness(ctx, actor, ownerId, { name: 'B' })
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const limits = {
    allowedAddresses: ['10.0.0.0/8'],
    requestsPerMinute: 5,
    permissions: ['sessions:read'],
    expiresAt,
  }
  const old = await createKey(ctx, manager, businessId, { name: 'a', scope: 'read', ...limits })
  const next = await rotateKey(ctx, manager, businessId, old.key.id, 3600)
  expect(await findKey(ctx, next.secret.reveal())).toMatchObject({
    ...limits,
    name: 'a',
    scope: 'read',
    expiresAt: new Date(expiresAt),
  })
  expect(await findKey(ctx, old.secret.reveal())).toMatchObject({ expiresAt: new Date(expiresAt) })
})

test('a key belongs to its own business only', async () => {
  const [mine, other] = await Promise.all(
    ['M', 'O'].map((name) => createBusiness(ctx, actor, ownerId, { name })),
  )
  const { key } = await createKey(ctx, manager, mine?.id ?? '', { name: 'a', scope: 'read' })
  const elsewhere = other?.id ?? ''
  const tries = [
    changeKey(ctx, manager, elsewhere, key.id, { name: 'b' }),
    rotateKey(ctx, manager, elsewhere, key.id, 0),
    revokeKey(ctx, actor, elsewhere, key.id),
  ]
  expect(await Promise.all(tries.map(refusal))).toEqual(Array(3).fill('404 Not found'))
})

test('a key cannot give a person more rights than their own; revoking one needs no higher role', async () => {
  const developer: KeyManager = { actor, role: 'developer' }
  const { id: businessId } = await createBusiness(ctx, actor, ownerId, { name: 'B' })
  const wanted = { name: 'a', scope: 'write' as const }
  const owners = { permissions: ['sessions:create', 'finality:write'] }
  const [ofOwner, ofDeveloper] = [
    await createKey(ctx, manager, businessId, { ...wanted, ...owners }),
    await createKey(ctx, developer, businessId, { ...wanted, permissions: ['sessions:create'] }),
  ]
  const before = await database.db.query('select k::text as text from api_keys k order by id')
  const message = 'This needs the role owner in the business; yours is developer (permission finality:write)'
  const [theirs, own] = [ofOwner.key.id, ofDeveloper.key.id]
  const tries = await Promise.allSettled([
    createKey(ctx, developer, businessId, { ...wanted, ...owners }),
    changeKey(ctx, developer, businessId, own, owners),
    changeKey(ctx, developer, businessId, theirs, { name: 'b' }),
    changeKey(ctx, developer, businessId, theirs, { allowedAddresses: null }),
    changeKey(ctx, developer, businessId, theirs, { permissions: ['sessions:create'] }),
    rotateKey(ctx, developer, businessId, theirs, 60),
  ])
  for (const tried of tries)
    expect(tried).toMatchObject({
      status: 'rejected',
      reason: { status: 403, error: 'insufficient_role', message },
    })
  expect(await database.db.query('select k::text as text from api_keys k order by id')).toEqual(before)
  expect((await changeKey(ctx, manager, businessId, own, owners)).permissions).toEqual([
    'finality:write',
    'sessions:create',
  ])
  expect((await rotateKey(ctx, manager, businessId, theirs, 60)).key.permissions).toEqual([
    'finality:write',
    'sessions:create',
  ])
  expect((await revokeKey(ctx, actor, businessId, own)).revokedAt).not.toBeNull()
})
