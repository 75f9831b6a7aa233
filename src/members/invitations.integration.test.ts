import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { createBusiness } from '../businesses/manageBusiness.ts'
import { newId } from '../platform/ids.ts'
import {
  findInvitation,
  inviteMember,
  listInvitations,
  makeInvitation,
  revokeInvitation,
  useInvitation,
} from './invitations.ts'

const actor = systemActor('test')
let database: TestDatabase
let businessId: string
let ownerEmail: string

beforeAll(async () => {
  database = await createTestDatabase(20)
  ownerEmail = `owner-${newId()}@example.com`
  const { id } = await createAccount(database.db, { email: ownerEmail, name: 'O', passwordHash: 'none' })
  businessId = (await createBusiness(database, actor, id, { name: 'B' })).id
})
afterAll(() => database?.drop())

const invite = async (email = `${newId()}@example.com`) => {
  const { invitation, token } = await inviteMember(database, actor, businessId, { email, role: 'developer' })
  return { id: invitation.id, email, token: token.reveal() }
}
const find = (token: string) => findInvitation(database.db, token)
const notFoundError = { status: 404, error: 'Not found' }

test('an invitation is found by its token only', async () => {
  const { id, email, token } = await invite()
  expect(token).toMatch(/^invite_[\w-]{43}$/)
  expect(await find(token)).toMatchObject({
    id,
    email,
    role: 'developer',
    purpose: 'member',
    businessName: 'B',
    hasAccount: false,
  })
  for (const other of ['', id, token.slice(1), `${token}x`, token.toUpperCase()])
    await expect(find(other)).rejects.toMatchObject(notFoundError)
  const [row] = await database.db.query<{ text: string }>(
    'select i::text as text from invitations i where id = $1',
    [id],
  )
  expect(row?.text).not.toContain(token)
})

test('an invitation is used once, also by ten concurrent requests', async () => {
  const { id, token } = await invite()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => database.db.tx((tx) => useInvitation(tx, id))),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(notFoundError)
  await expect(find(token)).rejects.toMatchObject(notFoundError)
})

test('an invitation expires after seven days', async () => {
  const { id, token } = await invite()
  const age = (interval: string) =>
    database.db.query(
      `update invitations set expires_at = created_at + interval '7 days' - $2::interval where id = $1`,
      [id, interval],
    )
  const { expiresAt } = await find(token)
  expect((expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
  await age('6 days 23:59')
  await find(token)
  await age('7 days')
  await expect(find(token)).rejects.toMatchObject(notFoundError)
  await expect(database.db.tx((tx) => useInvitation(tx, id))).rejects.toMatchObject(notFoundError)
  expect((await listInvitations(database.db, businessId)).map((each) => each.id)).not.toContain(id)
})

test('a revoked invitation is void, and another business cannot revoke it', async () => {
  const { id, token } = await invite()
  await expect(revokeInvitation(database, actor, newId(), id)).rejects.toMatchObject(notFoundError)
  await expect(revokeInvitation(database, actor, businessId, 'no-id')).rejects.toMatchObject(notFoundError)
  await find(token)
  await revokeInvitation(database, actor, businessId, id)
  await expect(find(token)).rejects.toMatchObject(notFoundError)
  await expect(revokeInvitation(database, actor, businessId, id)).rejects.toMatchObject(notFoundError)
})

test('a second invitation for the same address and purpose voids the first, in any spelling of the address', async () => {
  const first = await invite('Grace@Example.com')
  const second = await invite(' grace@example.COM ')
  await expect(find(first.token)).rejects.toMatchObject(notFoundError)
  expect(await find(second.token)).toMatchObject({ email: 'grace@example.com' })
  // An invitation for another purpose stays.
  const operator = await makeInvitation(database.db, {
    purpose: 'operator',
    email: 'grace@example.com',
    invitedBy: null,
  })
  await find(second.token)
  expect(await find(operator.token.reveal())).toMatchObject({
    purpose: 'operator',
    businessId: null,
    role: null,
  })
})

test('a member cannot be invited again', async () => {
  await expect(
    inviteMember(database, actor, businessId, { email: ownerEmail.toUpperCase(), role: 'viewer' }),
  ).rejects.toMatchObject({
    status: 409,
    error: 'already_member',
  })
})
