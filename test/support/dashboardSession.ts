import { sessionCookie } from '../../api/dashboard-api/cookies.ts'
import { createAccount } from '../../src/accounts/createAccount.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import { actorOf } from '../../src/accounts/signIn.ts'
import { startSession } from '../../src/accounts/signIns.ts'
import { joinByInvitation } from '../../src/businesses/acceptInvitation.ts'
import { createBusiness } from '../../src/businesses/manageBusiness.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import type { Role } from '../../src/members/role.ts'
import { newId } from '../../src/platform/ids.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { type ApiAnswer, demoPassword, type Stack } from './stack.ts'

/** A person with an account; the password is `demoPassword`. */
export interface Person {
  id: string
  email: string
}

export type Headers = Record<string, string>

/** The header of the dashboard's own pages. */
export const ownHeader = { 'x-cowry-dashboard': '1' }

const here = { address: '127.0.0.1', requestId: 'made-by-a-test' }
let hashed: Promise<string> | undefined

/** An account that belongs to no business. */
export async function addPerson(
  { db }: Pick<Stack, 'db'>,
  more: { operator?: boolean } = {},
): Promise<Person> {
  // One hash for all of them: it costs as much as all the rest together.
  hashed ??= createPasswords(createMetrics('people')).hash(demoPassword)
  return createAccount(db, {
    email: `${newId()}@cowry.test`,
    name: 'Ada',
    passwordHash: await hashed,
    ...more,
  })
}

/** Adds a person to a business by an invitation. */
export async function addMember(
  { db }: Pick<Stack, 'db'>,
  businessId: string,
  role: Role,
  person?: Person,
): Promise<Person> {
  const joining = person ?? (await addPerson({ db }))
  const { token } = await makeInvitation(db, {
    purpose: 'member',
    businessId,
    role,
    email: joining.email,
    invitedBy: null,
  })
  await joinByInvitation(
    { db },
    { accountId: joining.id, signInId: newId(), actor: actorOf(joining, here) },
    token.reveal(),
  )
  return joining
}

/** A business of this owner. @returns its id */
export async function addBusiness({ db }: Pick<Stack, 'db'>, owner: Person): Promise<string> {
  return (await createBusiness({ db }, actorOf(owner, here), owner.id, { name: 'Business of a test' })).id
}

/** Sends a request to the dashboard's API with these headers and no others. */
export async function dashboard<T = Record<string, unknown>>(
  stack: Stack,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<ApiAnswer<T>> {
  const response = await fetch(
    `http://127.0.0.1:${stack.processes.get('api')?.port()}/dashboard/api${path}`,
    {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  )
  return { status: response.status, body: (await response.json()) as T, headers: response.headers }
}

/** Signs in as a browser does. @returns the headers of its later requests */
export async function signIn(stack: Stack, email: string, password = demoPassword): Promise<Headers> {
  const answer = await dashboard(stack, 'POST', '/sign-in', { email, password }, ownHeader)
  if (answer.status !== 200)
    throw new Error(`signing in answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return { ...ownHeader, cookie }
}

/** The headers of a new session, without the password's cost. */
export async function sessionOf(
  { db }: Pick<Stack, 'db'>,
  { id }: Pick<Person, 'id'>,
): Promise<{ signInId: string; headers: Headers }> {
  const { id: signInId, secret } = await startSession(db, id, { address: here.address, userAgent: null })
  return { signInId, headers: { ...ownHeader, cookie: `${sessionCookie}=${secret.reveal()}` } }
}

/** The header of a new access token. */
export async function tokenOf(
  stack: Stack,
  { email }: Pick<Person, 'email'>,
): Promise<{ authorization: string }> {
  const { status, body } = await stack.api<{ accessToken: string }>('POST', '/auth/login', {
    email,
    password: demoPassword,
  })
  if (status !== 200) throw new Error(`logging in answered ${status}: ${JSON.stringify(body)}`)
  return { authorization: `Bearer ${body.accessToken}` }
}
