import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { addPerson } from '../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { createMigrator } from './migrator.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('the sponsors of existing members and keys come from invitations, approvals and the audit log', async () => {
  const { db } = database
  const migrator = createMigrator(db)
  await migrator.down({ to: '0124-sponsors' })
  const [ada, bola, operator] = [
    await addPerson(database),
    await addPerson(database),
    await addPerson(database, { operator: true }),
  ]
  const [invited, audited, opened, promoted, approved, alone] = await Promise.all(
    Array.from({ length: 6 }, () => addPerson(database)),
  )
  const business = newId()
  await db.query("insert into businesses (id, name) values ($1, 'old')", [business])
  for (const person of [ada, bola, invited, audited, opened, promoted, approved, alone])
    await db.query("insert into members (business_id, account_id, role) values ($1, $2, 'developer')", [
      business,
      person?.id,
    ])
  const invite = (email: string, by: string, accepted: boolean) =>
    db.query(
      `insert into invitations (id, purpose, business_id, email, role, token_hash, invited_by, expires_at, accepted_at)
       values ($1, 'member', $2, $3, 'developer', sha256($4), $5, now(), case when $6 then now() - interval '1 day' end)`,
      [newId(), business, email, Buffer.from(newId()), by, accepted],
    )
  await invite(invited?.email ?? '', ada.id, true)
  await invite(alone?.email ?? '', ada.id, false)
  await invite(opened?.email ?? '', operator.id, true)
  const audit = (action: string, by: string, target: string, after: object, before: object | null = null) =>
    db.query(
      `insert into audit_log (id, business_id, actor_kind, actor_id, actor_label, action, target, before, after)
       values ($1, $2, 'account', $3, 'x', $4, $5, $6, $7)`,
      [newId(), business, by, action, target, before, after],
    )
  await audit('member.invited', ada.id, newId(), { email: audited?.email, role: 'developer' })
  await audit('member.invited', bola.id, newId(), { email: audited?.email, role: 'developer' })
  await audit('member.joined', audited?.id ?? '', audited?.id ?? '', {
    email: audited?.email,
    role: 'developer',
  })
  await db.query('update accounts set invited_by = $2 where id = $1', [opened?.id, bola.id])
  await audit('member.changed', bola.id, promoted?.id ?? '', { role: 'developer' }, { role: 'viewer' })
  await audit('member.changed', ada.id, promoted?.id ?? '', { role: 'viewer' }, { role: 'developer' })
  // The owner who approved the change did not request it.
  await db.query(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, wanted, expires_at, decision, decided_by, decided_at)
     values ($1, $2, 'owner', $1, $3, $4, now(), 'approved', $5, now())`,
    [newId(), business, ada.id, JSON.stringify({ accountId: approved?.id }), bola.id],
  )
  await audit('member.changed', bola.id, approved?.id ?? '', { role: 'owner' }, { role: 'developer' })
  const key = async (createdBy: string | null, allowedBy: string | null, rootId?: string) => {
    const id = newId()
    await db.query(
      `insert into api_keys (id, root_id, business_id, name, prefix, hash, scope, created_by, sends_allowed_by, write_permissions)
       values ($1, $2, $3, 'k', 'ak_test_0000', sha256($4), 'write', $5, $6, '{}')`,
      [id, rootId ?? id, business, Buffer.from(newId()), createdBy, allowedBy],
    )
    return id
  }
  const [made, permitted, none] = [await key(ada.id, bola.id), await key(null, null), await key(null, null)]
  await key(invited?.id ?? '', null, made)
  await audit('key.changed', bola.id, permitted, { permissions: ['payouts:create'] }, { permissions: [] })
  await audit('key.changed', ada.id, none, { name: 'other' }, { name: 'k' })

  await migrator.up()
  const sponsors = async (of: { id: string } | undefined) =>
    (
      await db.query<{ by: string }>(
        'select sponsor_id as by from member_sponsors where business_id = $1 and account_id = $2',
        [business, of?.id],
      )
    ).map(({ by }) => by)
  expect(await sponsors(invited)).toEqual([ada.id])
  expect(await sponsors(audited)).toEqual([bola.id])
  expect((await sponsors(opened)).sort()).toEqual([bola.id, operator.id].sort())
  expect(await sponsors(promoted)).toEqual([bola.id])
  expect(await sponsors(approved)).toEqual([ada.id])
  for (const person of [ada, bola, alone]) expect(await sponsors(person)).toEqual([])
  const makers = async (root: string) =>
    (await db.query<{ by: string }>('select account_id as by from key_sponsors where root_id = $1', [root]))
      .map(({ by }) => by)
      .sort()
  expect(await makers(made)).toEqual([ada.id, bola.id, invited?.id].sort())
  expect(await makers(permitted)).toEqual([bola.id])
  expect(await makers(none)).toEqual([])
  const [old] = await db.query<{ before: boolean }>(
    "select min(created_at) < now() - interval '1 hour' as before from member_sponsors",
  )
  expect(old?.before).toBe(true)
})
