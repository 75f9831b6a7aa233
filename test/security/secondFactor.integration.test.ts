import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import { actorOf } from '../../src/accounts/signIn.ts'
import { createBusiness } from '../../src/businesses/manageBusiness.ts'
import { newId } from '../../src/platform/ids.ts'
import { type Browser, invited, openBrowser, signedIn } from '../support/browser.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { createSoftAuthenticator } from '../support/softAuthenticator.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(() => stack?.close())

const enter = (person: Person, at: Pick<Stack, 'processes'> = stack) =>
  signedIn(at, { email: person.email, password: demoPassword })

/** Sets up an authenticator in a session. @returns a function for its next valid code */
async function enrol(browser: Browser, person: Person): Promise<() => Promise<string>> {
  const { body } = await browser.ask<{ secret: string }>('POST', '/me/totp', { password: demoPassword })
  const totp = new TOTP({ secret: body.secret, digits: 6, period: 30, algorithm: 'SHA1' })
  const next = async () => {
    await stack.db.query('update accounts set totp_last_step = 0 where id = $1', [person.id])
    return totp.generate()
  }
  const { status } = await browser.ask('POST', '/me/totp/enable', { totp: await next() })
  expect(status).toBe(200)
  return next
}

/**
 * Logs in like a program and calls an operation for owners. @returns the answers to the login, /auth/me and
 * /pos/sessions
 */
async function byToken(person: Person, businessId: string, more: object = {}, api = 'api') {
  const base = `http://127.0.0.1:${stack.processes.get(api)?.port()}/api/v1`
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${base}${path}`, init)
    return { status: answer.status, body: (await answer.json()) as { accessToken: string; error: string } }
  }
  const json = { 'content-type': 'application/json' }
  const login = await send('/auth/login', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: person.email, password: demoPassword, ...more }),
  })
  const headers = { authorization: `Bearer ${login.body.accessToken}`, 'x-business-id': businessId }
  const [me, sessions] = await Promise.all([
    send('/auth/me', { headers }),
    send('/pos/sessions', { headers }),
  ])
  return { login: login.status, me: me.status, sessions: [sessions.status, sessions.body.error] }
}
const refused = [403, 'second_factor_required']
/** The first second factor ends the other sessions of its account. */
const ended = [401, 'not_signed_in']
const outcomeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { error?: string }).error,
]

test('an owner of a business that requires a second factor can only set one up, which ends the other sessions; tokens wait for it, other members do not', async () => {
  const [owner, second] = [await addPerson(stack), await addPerson(stack)]
  const businessId = await addBusiness(stack, owner)
  await addMember(stack, businessId, 'owner', second)
  const developer = await addMember(stack, businessId, 'developer')
  const at = `/businesses/${businessId}`
  const here = await enter(owner)
  const stale = await enter(owner)
  const set = (browser: Browser, ownersNeedSecondFactor: boolean) =>
    browser.ask('PUT', `${at}/second-factor`, { ownersNeedSecondFactor })
  // Without a second factor, the owner would lock themselves out.
  expect(outcomeOf(await set(here, true))).toEqual(refused)
  const next = await enrol(here, owner)
  expect(await set(here, true)).toMatchObject({ status: 200, body: { ownersNeedSecondFactor: true } })

  const without = await enter(second)
  const operations = [
    ['GET', at],
    ['GET', `${at}/members`],
    ['POST', `${at}/keys`, { name: 'k', scope: 'write' }],
    ['PUT', `${at}/second-factor`, { ownersNeedSecondFactor: false }],
    ['POST', `${at}/leave`],
  ] as const
  for (const [method, path, body] of operations) {
    expect([path, ...outcomeOf(await without.ask(method, path, body))]).toEqual([path, ...refused])
    expect([path, ...outcomeOf(await stale.ask(method, path, body))]).toEqual([path, ...ended])
  }
  expect((await without.ask('GET', '/me')).status).toBe(200)
  expect(await byToken(second, businessId)).toEqual({ login: 200, me: 200, sessions: refused })
  expect((await (await enter(developer)).ask('GET', at)).status).toBe(200)
  expect((await byToken(developer, businessId)).sessions[0]).toBe(200)
  // A developer may request payouts and refunds, and make keys that do.
  expect(
    outcomeOf(await (await enter(developer)).ask('POST', `${at}/keys`, { name: 'k', scope: 'write' })),
  ).toEqual(refused)

  // The session that set it up suffices, as does a new token with a code.
  const nextOfSecond = await enrol(without, second)
  expect((await without.ask('GET', at)).status).toBe(200)
  expect((await byToken(second, businessId, { totp: await nextOfSecond() })).sessions[0]).toBe(200)
  expect((await byToken(owner, businessId, { totp: await next() })).sessions[0]).toBe(200)
  // After it is switched off, no session has it.
  await without.ask('POST', '/me/totp/disable', { password: demoPassword, totp: await nextOfSecond() })
  expect(outcomeOf(await without.ask('GET', at))).toEqual(refused)
  // To stop requiring it waits for the second owner, and for the cooling-off time.
  expect(await set(here, false)).toMatchObject({
    status: 202,
    body: { ownersNeedSecondFactor: true, waitingApproval: { state: 'waiting' } },
  })
  expect(outcomeOf(await without.ask('GET', at))).toEqual(refused)
  await stack.db.query('update businesses set second_factor_until = now() where id = $1', [businessId])
  expect((await without.ask('GET', at)).status).toBe(200)
})

test('a passkey is a second factor for the session that added it and sessions signed in with it; a token needs a recovery code', async () => {
  const owner = await addPerson(stack)
  const at = `/businesses/${await addBusiness(stack, owner)}`
  const businessId = at.slice('/businesses/'.length)
  const here = await enter(owner)
  const stale = await enter(owner)
  const authenticator = createSoftAuthenticator('http://localhost:3000')
  interface ChallengeBody {
    challenge: string
    rp: { id: string }
    rpId: string
  }
  const begun = await here.ask<ChallengeBody>('POST', '/me/passkeys/begin', { password: demoPassword })
  const added = await here.ask<{ passkey: { id: string }; recoveryCodes: string[] }>('POST', '/me/passkeys', {
    name: 'Key',
    passkey: authenticator.create(begun.body),
  })
  expect([added.status, added.body.recoveryCodes.length]).toEqual([200, 10])
  expect((await here.ask('PUT', `${at}/second-factor`, { ownersNeedSecondFactor: true })).status).toBe(200)
  expect(outcomeOf(await stale.ask('GET', at))).toEqual(ended)

  const by = openBrowser(stack)
  const credentials = { email: owner.email, password: demoPassword }
  expect(outcomeOf(await by.ask('POST', '/sign-in', credentials))).toEqual([401, 'passkey_required'])
  const asked = (await by.ask<{ options: ChallengeBody }>('POST', '/sign-in/passkey', credentials)).body
    .options
  const passkey = authenticator.get(asked)
  expect((await by.ask('POST', '/sign-in', { ...credentials, passkey })).status).toBe(200)
  expect((await by.ask('GET', at)).status).toBe(200)
  expect(outcomeOf(await openBrowser(stack).ask('POST', '/sign-in', { ...credentials, passkey }))).toEqual([
    401,
    'invalid_passkey',
  ])

  expect((await stack.api('POST', '/auth/login', credentials)).body.error).toBe('passkey_required')
  expect((await stack.api('POST', '/auth/login', { ...credentials, passkey })).status).toBe(400)
  const [recoveryCode = ''] = added.body.recoveryCodes
  expect((await byToken(owner, businessId, { recoveryCode })).sessions[0]).toBe(200)
  const [entry] = await stack.db.query(
    `select after from audit_log where actor_id = $1 and action = 'account.signed_in' and after ? 'factor'`,
    [owner.id],
  )
  expect(entry).toEqual({ after: { kind: 'dashboard', factor: 'passkey' } })

  // Without the last passkey, no session has a second factor.
  const confirmation = authenticator.get((await here.ask<ChallengeBody>('POST', '/me/passkeys/confirm')).body)
  const removal = { password: demoPassword, passkey: confirmation }
  expect((await here.ask('POST', `/me/passkeys/${added.body.passkey.id}/remove`, removal)).status).toBe(200)
  for (const browser of [here, by]) expect(outcomeOf(await browser.ask('GET', at))).toEqual(refused)
})

test('a deployment can require it of operators, and of the owners of all businesses', async () => {
  const operator = await addPerson(stack, { operator: true })
  const owner = await addPerson(stack)
  const businessId = await addBusiness(stack, owner)
  const at = (name: string) => ({
    processes: { get: () => stack.processes.get(name) } as unknown as Stack['processes'],
  })
  await Promise.all([
    stack.start('api', { REQUIRE_SECOND_FACTOR: 'operators' }, { as: 'for-operators' }),
    stack.start('api', { REQUIRE_SECOND_FACTOR: 'owners' }, { as: 'for-owners' }),
  ])
  const reach = async (name: string) => {
    const [operates, owns] = await Promise.all([enter(operator, at(name)), enter(owner, at(name))])
    return {
      platform: outcomeOf(await operates.ask('GET', '/operator/businesses')),
      business: outcomeOf(await owns.ask('GET', `/businesses/${businessId}`)),
      opens: outcomeOf(await owns.ask('POST', '/businesses', { name: 'Another' })),
      token: (await byToken(owner, businessId, {}, name)).sessions,
    }
  }
  const fine = {
    platform: [200, undefined],
    business: [200, undefined],
    opens: [201, undefined],
    token: [200, undefined],
  }
  expect(await reach('api')).toEqual(fine)
  expect(await reach('for-operators')).toEqual({ ...fine, platform: refused })
  expect(await reach('for-owners')).toEqual({
    platform: refused,
    business: refused,
    opens: refused,
    token: refused,
  })
  const operates = await enter(operator, at('for-owners'))
  await enrol(operates, operator)
  expect((await operates.ask('GET', '/operator/businesses')).status).toBe(200)
})

describe('the limit of businesses', () => {
  const full = [409, 'too_many_businesses']
  const open = async (browser: Browser) =>
    outcomeOf(await browser.ask('POST', '/businesses', { name: 'One more' }))
  const openMany = async (person: Person, count: number) => {
    const actor = actorOf(person, { address: '127.0.0.1', requestId: 'r' })
    for (let i = 0; i < count; i++) await createBusiness(stack, actor, person.id, { name: `B${i}` })
  }

  test('cannot be avoided by giving businesses away, nor by inviting accounts that open them, nor through those that they invite', async () => {
    const person = await addPerson(stack)
    const here = await enter(person)
    await openMany(person, 18)
    const [first] = (await here.ask<{ businesses: { id: string }[] }>('GET', '/me')).body.businesses
    const at = first?.id ?? ''
    // Another owner takes it over, and the creator leaves.
    const throwAway = await invited(stack, here, at, 'owner', `${newId()}@example.com`)
    expect((await here.ask('POST', `/businesses/${at}/leave`)).status).toBe(200)
    // A proven address does not matter: it is as cheap as an unproven one.
    await stack.db.query('update accounts set email_proven_at = now() where id = $1', [throwAway.id])
    const next = await invited(stack, throwAway.browser, at, 'owner', `${newId()}@example.com`)
    expect(await open(throwAway.browser)).toEqual([201, undefined])
    expect(await open(next.browser)).toEqual([201, undefined])
    for (const each of [here, throwAway.browser, next.browser]) expect(await open(each)).toEqual(full)
    // With a limit set by an operator, an account counts separately.
    await stack.db.query('update accounts set business_limit = 1 where id = $1', [next.id])
    expect(await open(next.browser)).toEqual(full)
    await stack.db.query('update accounts set business_limit = 3 where id = $1', [next.id])
    expect(await open(next.browser)).toEqual([201, undefined])
    expect(await open(here)).toEqual([201, undefined])
    expect(await open(here)).toEqual(full)
  })

  test('holds for concurrent requests of the accounts that share it', async () => {
    const person = await addPerson(stack)
    const here = await enter(person)
    await openMany(person, 18)
    const [first] = (await here.ask<{ businesses: { id: string }[] }>('GET', '/me')).body.businesses
    const others = []
    for (let i = 0; i < 3; i++)
      others.push(
        (await invited(stack, here, first?.id ?? '', 'developer', `${newId()}@example.com`)).browser,
      )
    const outcomes = await Promise.all([here, ...others, here, ...others].map(open))
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(2)
    expect(outcomes.filter(([status]) => status === 409)).toHaveLength(6)
  })

  test('is separate for an account invited by an operator', async () => {
    const operator = await signedIn(stack)
    const email = `${newId()}@example.com`
    const { body } = await operator.ask<{ token: string }>('POST', '/operator/businesses', {
      name: 'Opened',
      ownerEmail: email,
    })
    const browser = openBrowser(stack)
    await browser.ask('POST', '/invitations/accept', {
      token: body.token,
      name: 'N',
      password: 'a-long-new-password-1',
    })
    const [row] = await stack.db.query(
      'select invited_by as by, (select count(*)::int from businesses where opened_by = a.id) as opened from accounts a where email = $1',
      [email],
    )
    expect(row).toEqual({ by: null, opened: 0 })
    expect(await open(browser)).toEqual([201, undefined])
  })
})
