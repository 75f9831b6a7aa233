import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { generateApiKey } from '../apiKeys/form.ts'
import { storeKey } from '../apiKeys/storeKey.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { makeInvitation } from '../members/invitations.ts'
import type { Role } from '../members/role.ts'
import { roleIn } from '../members/role.ts'
import { newId } from '../platform/ids.ts'
import { createBusiness } from './manageBusiness.ts'
import { changeMember, listMembers, removeMember } from './members.ts'

const actor = systemActor('test')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())

const person = async () =>
  (await createAccount(database.db, { email: `${newId()}@example.com`, name: 'P', passwordHash: 'none' })).id

/** A business with members of these roles; the first is an owner. */
async function businessOf(...roles: Role[]): Promise<{ id: string; people: string[] }> {
  const people = await Promise.all([...roles].map(person))
  const { id } = await createBusiness(database, actor, people[0] ?? '', { name: 'B' })
  for (const [i, role] of roles.slice(1).entries())
    await database.db.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
      id,
      people[i + 1],
      role,
    ])
  return { id, people }
}

const ownersOf = async (id: string) =>
  (await listMembers(database.db, id)).filter(({ role }) => role === 'owner').length
const refusal = (error: unknown) => (error as { error?: string }).error ?? String(error)

test('the last owner can neither leave nor be demoted', async () => {
  const { id, people } = await businessOf('owner', 'developer')
  const [owner = '', developer = ''] = people
  await expect(removeMember(database, actor, id, owner)).rejects.toMatchObject({
    status: 409,
    error: 'last_owner',
  })
  await expect(removeMember(database, actor, id, owner, 'member.left')).rejects.toMatchObject({
    error: 'last_owner',
  })
  for (const role of ['developer', 'viewer'] as const)
    await expect(changeMember(database, actor, id, owner, role)).rejects.toMatchObject({
      error: 'last_owner',
    })
  expect(await changeMember(database, actor, id, owner, 'owner')).toMatchObject({
    member: { role: 'owner' },
    approval: null,
  })
  await changeMember(database, actor, id, developer, 'owner')
  await removeMember(database, actor, id, owner, 'member.left')
  expect(await roleIn(database.db, id, owner)).toBeNull()
  expect(await ownersOf(id)).toBe(1)
})

test('owners who all remove each other at once leave exactly one', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, people } = await businessOf('owner', 'owner', 'owner', 'owner', 'owner', 'owner')
    const outcomes = await Promise.all(
      people.map((accountId, i) =>
        (i % 2
          ? removeMember(database, actor, id, accountId)
          : changeMember(database, actor, id, accountId, 'viewer')
        ).then(() => 'done', refusal),
      ),
    )
    expect(outcomes.toSorted()).toEqual([...Array(5).fill('done'), 'last_owner'])
    expect(await ownersOf(id)).toBe(1)
  }
})

test('a business always has an owner, in any sequence of changes by its owners', async () => {
  const step = fc.record({ who: fc.nat(3), what: fc.constantFrom('owner', 'developer', 'viewer', 'remove') })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { id, people } = await businessOf('owner', 'owner', 'developer', 'viewer')
      for (const { who, what } of steps) {
        const accountId = people[who] ?? ''
        await (what === 'remove'
          ? removeMember(database, actor, id, accountId)
          : changeMember(database, actor, id, accountId, what as Role)
        ).catch((error) => expect(['last_owner', 'Not found']).toContain(refusal(error)))
        expect(await ownersOf(id)).toBeGreaterThan(0)
      }
    }),
    { numRuns: 15 },
  )
})

test('an account outside the business is not found', async () => {
  const [one, other] = [await businessOf('owner'), await businessOf('owner')]
  for (const accountId of [other.people[0] ?? '', newId(), 'no-id', '']) {
    await expect(changeMember(database, actor, one.id, accountId, 'viewer')).rejects.toMatchObject({
      status: 404,
    })
    await expect(removeMember(database, actor, one.id, accountId)).rejects.toMatchObject({ status: 404 })
  }
  expect(await ownersOf(other.id)).toBe(1)
})

test('the audit log records a change with its actor, target, before and after; a refused change is not recorded', async () => {
  const { id, people } = await businessOf('owner', 'viewer')
  const [owner = '', viewer = ''] = people
  await changeMember(database, actor, id, viewer, 'developer')
  await changeMember(database, actor, id, viewer, 'developer')
  await removeMember(database, actor, id, viewer)
  await removeMember(database, actor, id, owner).catch(refusal)
  const entries = await database.db.query(
    `select action, target, before - 'email' as before, after - 'email' as after from audit_log where business_id = $1 and action like 'member.%' order by id`,
    [id],
  )
  expect(entries).toEqual([
    { action: 'member.changed', target: viewer, before: { role: 'viewer' }, after: { role: 'developer' } },
    { action: 'member.removed', target: viewer, before: { role: 'developer' }, after: null },
  ])
})

test('an entry lists the invitations that the change or removal voids', async () => {
  const { id, people } = await businessOf('owner', 'owner')
  const [, second = ''] = people
  const invite = async () =>
    (
      await makeInvitation(database.db, {
        ...offer,
        businessId: id,
        email: `${newId()}@example.com`,
        invitedBy: second,
      })
    ).id
  const offer = { purpose: 'member', role: 'viewer' } as const
  const first = [await invite(), await invite()]
  await changeMember(database, actor, id, second, 'developer')
  const last = await invite()
  await removeMember(database, actor, id, second)
  const entries = await database.db.query<{ voided: string[] }>(
    `select after -> 'invitationsVoided' as voided from audit_log where business_id = $1 and action in ('member.changed', 'member.removed') order by id`,
    [id],
  )
  expect(entries.map(({ voided }) => voided)).toEqual([first.toSorted(), [last]])
})

test('the entry of a removal lists the active keys that the member created', async () => {
  const { id, people } = await businessOf('owner', 'developer')
  const [, second = ''] = people
  const keyOf = async (more: { createdBy?: string; revoked?: boolean }) => {
    const key = generateApiKey('test')
    const { prefix } = await storeKey(database, {
      businessId: id,
      name: 'till',
      scope: 'write',
      createdBy: more.createdBy ?? null,
      key,
    })
    if (more.revoked)
      await database.db.query('update api_keys set revoked_at = now() where prefix = $1', [prefix])
    return prefix
  }
  const [own] = [
    await keyOf({ createdBy: second }),
    await keyOf({ createdBy: second, revoked: true }),
    await keyOf({}),
  ]
  await removeMember(database, actor, id, second)
  const [entry] = await database.db.query(
    "select after from audit_log where business_id = $1 and action = 'member.removed'",
    [id],
  )
  expect(entry).toEqual({ after: { keysLeft: [own] } })
})
