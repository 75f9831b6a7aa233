import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { down, up } from '../../migrations/0039-locked-accounts.ts'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { createAccount } from '../../src/accounts/createAccount.ts'
import { findAccountByEmail } from '../../src/accounts/findAccount.ts'
import { actorOf } from '../../src/accounts/signIn.ts'
import { findSession, noteToken, startSession } from '../../src/accounts/signIns.ts'
import { recordAudit, systemActor } from '../../src/audit/recordAudit.ts'
import { createBusiness } from '../../src/businesses/manageBusiness.ts'
import { findInvitation, makeInvitation, type Purpose } from '../../src/members/invitations.ts'
import { newId } from '../../src/platform/ids.ts'
import { compose, environmentOf, type Service } from '../support/composeFile.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { dockerCommands } from '../support/dockerCommands.ts'
import { insertMember } from '../support/madeBusiness.ts'
import { documentedUrl, urlIn } from '../support/operatorCommands.ts'
import { appKey, roleUrls, seedKey } from '../support/template.ts'

// Operator commands for an account or a key that may be compromised.

let database: TestDatabase
const home = join(import.meta.dirname, '../..')
const origin = { address: '203.0.113.9', userAgent: null }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

function account(
  ...given: (string | Record<string, string>)[]
): Promise<{ code: number; out: string; err: string }> {
  const command = given.filter((each) => typeof each === 'string')
  const more = Object.assign({}, ...given.filter((each) => typeof each !== 'string'))
  const env = {
    DATABASE_URL: documentedUrl('commands/account.ts', database.url),
    APP_KEY: appKey,
    BASE_URL: 'https://pay.example.com/',
    ...more,
  }
  const args = [...commandArguments, 'account', ...command]
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd: home, env }, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

async function person(more: { operator?: boolean } = {}) {
  const made = await createAccount(database.db, {
    email: `${newId()}@example.com`,
    name: 'P',
    passwordHash: 'as it was',
    ...more,
  })
  const session = await startSession(database.db, made.id, origin)
  const tokenId = await noteToken(database.db, made.id, origin)
  const isIn = async () => (await findSession(database, session.secret.reveal())) !== null
  return { ...made, tokenId, isIn }
}
async function invite(purpose: Purpose, email: string, invitedBy: string | null = null, businessId?: string) {
  const more = businessId === undefined ? {} : { businessId, role: 'owner' as const }
  const { id, token } = await makeInvitation(database.db, { purpose, email, invitedBy, ...more })
  const holds = () =>
    findInvitation(database.db, token.reveal()).then(
      () => true,
      () => false,
    )
  return { id, holds }
}
const entriesOf = (action: string, target: string | null) =>
  database.db.query(
    `select actor_label as by, business_id as business, before, after from audit_log where action = $1 and target is not distinct from $2`,
    [action, target],
  )
const by = 'cowry account'

test('lock ends the sessions and tokens of an account, its links and its invitations; its password becomes unknown', async () => {
  const { id, email, tokenId, isIn } = await person()
  const { id: businessId } = await createBusiness(
    database,
    actorOf({ id, email }, { ...origin, requestId: 'r' }),
    id,
    { name: 'B' },
  )
  const other = await person()
  await insertMember(database.db, businessId, other.id)
  const ended = [
    await invite('reset', email),
    await invite('operator', email),
    await invite('member', 'accomplice@example.com', id, businessId),
    await invite('operator', 'another@example.com', id),
  ]
  const kept = [
    await invite('reset', other.email),
    await invite('member', 'colleague@example.com', other.id, businessId),
  ]
  expect(await account('lock', email.toUpperCase())).toEqual({
    code: 0,
    out: `${email} is locked; 2 sessions and tokens have ended, 4 invitations are void.\nnpm run cowry -- account reset ${email} unlocks it.\n`,
    err: '',
  })
  expect(await Promise.all(ended.map(({ holds }) => holds()))).toEqual([false, false, false, false])
  expect(await Promise.all(kept.map(({ holds }) => holds()))).toEqual([true, true])
  const [token] = await database.db.query<{ ended: boolean }>(
    'select revoked_at is not null as ended from sign_ins where id = $1',
    [tokenId],
  )
  expect([await isIn(), token?.ended, await other.isIn()]).toEqual([false, true, true])
  expect((await findAccountByEmail(database.db, email))?.passwordHash).toMatch(/^\$argon2id\$/)
  const invitationsVoided = expect.arrayContaining(ended.map((each) => each.id))
  expect(await entriesOf('account.locked', id)).toEqual([
    { by, business: null, before: null, after: { signInsEnded: 2, invitationsVoided } },
  ])
})

test('an upgrade locks the accounts that were locked before and not reset since', async () => {
  const people = await Promise.all([person(), person(), person(), person()])
  const [locked, reset, again, never] = people
  const note = (who: { id: string } | undefined, action: string) =>
    recordAudit(database.db, systemActor(by), { businessId: null, action, target: who?.id ?? null })
  for (const who of [locked, reset, again]) await note(who, 'account.locked')
  for (const who of [reset, again, never]) await note(who, 'account.password_reset')
  await note(again, 'account.locked')
  await down(database.db)
  await up(database.db)
  const lockedNow = await database.db.query<{ id: string }>(
    'select id from accounts where locked_at is not null and id = any($1) order by id',
    [people.map(({ id }) => id)],
  )
  expect(lockedNow.map(({ id }) => id)).toEqual([locked?.id, again?.id].toSorted())
})

test('reset prints a link for an account, and the previous link is void', async () => {
  const { id, email, isIn } = await person()
  const before = await invite('reset', email)
  const { code, out } = await account('reset', ` ${email}`.trim())
  const [, token = ''] =
    /https:\/\/pay\.example\.com\/dashboard\/invitation#(invite_[\w-]{43})\n$/.exec(out) ?? []
  expect([code, await before.holds(), await isIn()]).toEqual([0, false, true])
  const link = await findInvitation(database.db, token)
  expect(link).toMatchObject({ purpose: 'reset', email, invitedBy: null, hasAccount: true })
  expect(await entriesOf('account.reset_offered', link.id)).toEqual([
    { by, business: null, before: null, after: { email, invitationsVoided: [before.id] } },
  ])
  expect(await account('reset', 'unknown@example.com')).toEqual({
    code: 2,
    out: '',
    err: 'There is no account for unknown@example.com\n',
  })
  expect((await findAccountByEmail(database.db, email))?.id).toBe(id)
})

test('remove-operator removes an account from the operators, and voids its open links', async () => {
  const { id, email, isIn } = await person({ operator: true })
  const links = [await invite('operator', email), await invite('reset', email)]
  expect(await account('remove-operator', email)).toEqual({
    code: 0,
    out: `${email} is no longer an operator of the platform; the open link to it is void.\n`,
    err: '',
  })
  expect(await Promise.all(links.map(({ holds }) => holds()))).toEqual([false, true])
  expect([(await findAccountByEmail(database.db, email))?.operator, await isIn()]).toEqual([false, true])
  const after = { invitationsVoided: [links[0]?.id] }
  expect(await entriesOf('operator.removed', id)).toEqual([{ by, business: null, before: { email }, after }])
  expect(await account('remove-operator', email)).toMatchObject({
    code: 2,
    err: expect.stringContaining('does not operate the platform'),
  })
})

test('remove-operator voids an open link also where no account exists yet', async () => {
  const email = `${newId()}@example.com`
  const link = await invite('operator', email)
  expect((await account('remove-operator', email)).code).toBe(0)
  expect(await link.holds()).toBe(false)
  const after = { invitationsVoided: [link.id] }
  expect(await entriesOf('operator.removed', null)).toEqual([
    { by, business: null, before: { email }, after },
  ])
})

test('roll-signing-keys leaves one new key, which signs at once', async () => {
  const kids = () =>
    database.db.query<{ id: string; signs: boolean }>(
      'select id, active_at <= now() as signs from signing_keys',
    )
  expect((await account('roll-signing-keys')).code).toBe(0)
  const first = await kids()
  expect(await account('roll-signing-keys')).toMatchObject({ code: 0, err: '' })
  const second = await kids()
  expect([first.length, second]).toEqual([1, [{ id: expect.any(String), signs: true }]])
  expect(second[0]?.id).not.toBe(first[0]?.id)
  expect(await entriesOf('signing_keys.rolled', null)).toHaveLength(2)
})

test.each([
  [[]],
  [['lock']],
  [['lock', 'no address']],
  [['reset', 'a@example.com', 'b@example.com']],
  [['roll-signing-keys', 'a@example.com']],
])('wrong arguments print the usage and change nothing: %j', async (command) => {
  expect(await account(...command)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Usage: cowry account '),
  })
})

test('with --mail the link goes to the mailbox alone, sealed, and is printed nowhere', async () => {
  const { email } = await person()
  const { code, out } = await account('reset', email, '--mail')
  expect([code, out]).toEqual([2, ''])
  const mailed = await account('reset', email, '--mail', { MAIL_FROM: 'pay@example.com' })
  expect(mailed).toEqual({
    code: 0,
    out: `A link is mailed to ${email}; it works once, for seven days.\n`,
    err: '',
  })
  const [row] = await database.db.query<{ sealed: boolean; mail: string }>(
    'select m.sealed is not null as sealed, i.mail from mails m join invitations i on i.id = m.invitation_id where m.email = $1',
    [email],
  )
  expect(row).toEqual({ sealed: true, mail: 'waiting' })
})

test('business-limit sets how many businesses an account and the accounts that it invited may open', async () => {
  const { id, email } = await person()
  expect(await account('business-limit', email, '50')).toMatchObject({ code: 0, err: '' })
  expect(
    await database.db.query('select business_limit as "limit" from accounts where id = $1', [id]),
  ).toEqual([{ limit: 50 }])
  expect(await entriesOf('account.business_limit_set', id)).toEqual([
    { by, business: null, before: null, after: { limit: 50 } },
  ])
  expect(await account('business-limit', email, 'many')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Usage: cowry account business-limit'),
  })
})

describe('in Docker, as documented', () => {
  const unique = new Map(
    dockerCommands.map((command) => [`${command.service} ${command.words.join(' ')}`, command]),
  )
  /** No node listens there: the command fails only after it used the database. */
  const noNode = { STELLAR_RPC_URLS: 'http://127.0.0.1:9', STELLAR_HORIZON_URLS: 'http://127.0.0.1:9' }

  beforeAll(async () => {
    await database.db.query(
      "insert into businesses (id, name, fee_percent, fx_margin_percent, approval) values ($1, 'Held', 0, 0, 'suspended')",
      [newId()],
    )
  })

  test.each([...unique.values()])('$service $words has the rights that it needs', async (command) => {
    const env = {
      ...environmentOf(compose.services[command.service] as Service),
      ...noNode,
      // Migrating sets the passwords of the roles, which all test databases share.
      ...roleUrls(database.url),
      DATABASE_URL: urlIn(command.service, database.url),
      SEED_KEY: seedKey,
      // A roll needs the key before as well.
      ...(command.words.includes('roll-app-key') ? { APP_KEY_PREVIOUS: appKey } : {}),
      ...(command.words.includes('roll-verify-key') ? { VERIFY_KEY_PREVIOUS: appKey } : {}),
    }
    const run = promisify(execFile)(process.execPath, [...commandArguments, ...command.words], {
      cwd: home,
      env,
    })
    // A command may read a phrase from there.
    run.child.stdin?.end()
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
    expect(stdout + stderr).not.toMatch(/permission denied|Usage/)
    // The doctor's findings are about this environment, which is not that of a deployment.
    if (!command.words.includes('doctor')) expect(stdout + stderr).not.toMatch(/is not set/)
    expect(stdout + stderr).toMatch(/./)
  })
})
