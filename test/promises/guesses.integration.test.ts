import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  generateRecoveryCodes,
  generateTotpSecret,
  sealTotpSecret,
  storeRecoveryCodes,
} from '../../src/accounts/totp.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { metric } from '../faults/metric.ts'
import { addPerson } from '../support/dashboardSession.ts'
import { howMany } from '../support/full.ts'
import { createStack, demoPassword as password, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'

// Requests come through a trusted proxy, so that each guesser has a separate address.

const inParallel = 50
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    env: { TRUSTED_PROXIES: '127.0.0.1/32', LOG_LEVEL: 'warn' },
  })
})
afterAll(async () => {
  agent.destroy()
  await stack?.close()
})

interface Answer {
  status: number
  body: Record<string, unknown>
  headers: IncomingHttpHeaders
}

/** Origin of an attempt: a program at the API, or a browser at the dashboard, perhaps with cookies. */
interface From {
  address: string
  browser?: boolean
  cookie?: string
}

function post(path: string, body: object, headers: Record<string, string>): Promise<Answer> {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: stack.processes.get('api')?.port(),
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => void parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          resolve({
            status: answer.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(parts).toString()),
            headers: answer.headers,
          })
        })
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The API may close an idle connection just as it is reused: then it has read nothing of the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(post(path, body, headers))
      else reject(error)
    })
    sent.end(text)
  })
}

const signIn = (
  body: { email: string; password: string; totp?: string; recoveryCode?: string },
  { address, browser, cookie }: From,
): Promise<Answer> =>
  browser
    ? post('/dashboard/api/sign-in', body, {
        'x-forwarded-for': address,
        'x-cowry-dashboard': '1',
        ...(cookie ? { cookie } : {}),
      })
    : post('/api/v1/auth/login', body, { 'x-forwarded-for': address })

const guess = (email: string, from: From, n = 0) => signIn({ email, password: `guess number ${n}` }, from)

/** Runs `work` for 0 to n - 1, `inParallel` at a time. */
async function many<T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const outcomes: T[] = []
  let next = 0
  const worker = async () => {
    for (let i = next++; i < n; i = next++) outcomes[i] = await work(i)
  }
  await Promise.all(Array.from({ length: Math.min(n, inParallel) }, worker))
  return outcomes
}

const verifications = () => metric(stack.processes.get('api'), 'cowry_password_verifications_total')

/** Counts the passwords verified while `work` runs. */
async function verifiedDuring<T>(work: () => Promise<T>): Promise<{ verified: number; outcome: T }> {
  const before = await verifications()
  const outcome = await work()
  return { verified: (await verifications()) - before, outcome }
}

const person = () => addPerson(stack)

/** A person with a second factor; only its recovery codes are used here. */
async function personWithCodes() {
  const { id, email } = await person()
  const codes = generateRecoveryCodes()
  await stack.db.query('update accounts set totp_sealed = $2, totp_enabled_at = now() where id = $1', [
    id,
    sealTotpSecret(new Secret(appKey), id, generateTotpSecret()),
  ])
  await storeRecoveryCodes(stack.db, id, codes)
  return { email, codes }
}

let addresses = 0
/** A new address. */
const newAddress = () => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
/** The same for IPv6: each in a different network. */
const newAddress6 = () => `2001:db8:${(++addresses).toString(16)}::1`
const inOneNetwork = (network: string, i: number) =>
  `2001:db8:ffff:${network}:${(i * 7).toString(16)}::${i.toString(16)}`

const statuses = (answers: readonly Answer[]) => {
  const count: Record<number, number> = {}
  for (const { status } of answers) count[status] = (count[status] ?? 0) + 1
  return count
}

/** An answer without its request's own fields. */
const comparable = ({ status, body: { requestId, ...body }, headers }: Answer) => ({
  status,
  named: typeof requestId,
  body,
  headers: Object.keys(headers).toSorted(),
})

/**
 * At most `max` passwords were verified, and all other guesses were refused. 503: too many at once, not
 * verified.
 */
function expectAtMost(max: number, verified: number, outcome: Answer[]): void {
  const { 401: wrong = 0, 429: refused = 0, 503: crowded = 0 } = statuses(outcome)
  expect([wrong, wrong + refused + crowded]).toEqual([verified, outcome.length])
  expect(verified).toBeGreaterThan(0)
  expect(verified).toBeLessThanOrEqual(max)
}

function expectRefused(answer: Answer): void {
  expect({ status: answer.status, error: answer.body.error }).toEqual({
    status: 429,
    error: 'Too many requests, please try again later.',
  })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(24 * 3600)
}

/**
 * Some of many parallel guesses get 503 and do not count: so the last ones run one by one, until one is
 * refused.
 */
async function guessUntilRefused(email: (n: number) => string, address: () => string): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.at(-1)?.status !== 429)
    answers.push(await guess(email(answers.length), { address: address() }, answers.length))
  return answers
}

const cookieOf = ({ headers }: Answer) =>
  (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).find((each) => each?.includes('device')) ??
  ''

/** From one address, and from many: far above any limit. */
const guesses = { alone: howMany(400, 5000), together: howMany(800, 4800) }

describe("an attacker's guesses are limited, and others keep access", () => {
  test(`${guesses.alone} guesses from one address, on one account and on many: 20 passwords are verified`, async () => {
    const [victim, neighbour] = [await person(), await person()]
    const attacker = newAddress()
    const emails = (i: number) => (i % 2 ? victim.email : `unknown-${i}@example.com`)
    const { verified, outcome } = await verifiedDuring(async () => {
      const answers = await many(guesses.alone, (i) =>
        guess(emails(i), { address: attacker, browser: i % 3 === 0 }, i),
      )
      return [
        ...answers,
        ...(await guessUntilRefused(
          (n) => `late-${n}@example.com`,
          () => attacker,
        )),
      ]
    })
    expectAtMost(20, verified, outcome)
    // A guess with 503 is given back, but those that were refused meanwhile have used up the limit: it may be
    // lost.
    expect(verified).toBeGreaterThanOrEqual(20 - (statuses(outcome)[503] ?? 0))
    for (const answer of outcome) if (answer.status === 429) expectRefused(answer)
    // All others keep access, including the attacked account: it has guesses left for unknown devices.
    for (const { email } of [victim, neighbour])
      expect((await signIn({ email, password }, { address: newAddress() })).status).toBe(200)
    const right = await signIn({ email: victim.email, password }, { address: attacker })
    expectRefused(right)
    expect(comparable(right)).toEqual(comparable(await guess(victim.email, { address: attacker })))
  }, 240_000)

  test(`${guesses.together} guesses from as many addresses on one account: at most 60 passwords are verified, and the owner can always sign in`, async () => {
    const [owner, neighbour] = [await person(), await person()]
    const home = newAddress()
    const first = await signIn({ email: owner.email, password }, { address: newAddress(), browser: true })
    const cookie = cookieOf(first)
    expect([first.status, cookie]).toEqual([200, expect.stringContaining('device')])
    expect((await signIn({ email: owner.email, password }, { address: home })).status).toBe(200)

    const others: { name: string; answers: Answer[] }[] = []
    const { verified, outcome } = await verifiedDuring(async () => {
      let over = false
      const meanwhile = async (name: string, attempt: () => Promise<Answer>) => {
        const answers: Answer[] = []
        others.push({ name, answers })
        while (!over) answers.push(await attempt())
      }
      // The attack goes on until each of the others has signed in more than five times.
      const attack = async () => {
        const answers: Answer[] = []
        while (
          !over &&
          (answers.length < guesses.together || others.some((each) => each.answers.length <= 5))
        ) {
          const address = (i: number) => (i % 2 ? newAddress() : newAddress6())
          answers.push(
            ...(await many(300, (i) => guess(owner.email, { address: address(i), browser: i % 3 === 0 }, i))),
          )
        }
        return answers
      }
      const end = <T>(work: Promise<T>) =>
        work.finally(() => {
          over = true
        })
      const [answers] = await Promise.all([
        end(attack()),
        end(
          meanwhile('in a known browser, at new addresses', () =>
            signIn({ email: owner.email, password }, { address: newAddress(), browser: true, cookie }),
          ),
        ),
        end(
          meanwhile('at the home address, by the API', () =>
            signIn({ email: owner.email, password }, { address: home }),
          ),
        ),
        end(
          meanwhile('another account, at new addresses', () =>
            signIn({ email: neighbour.email, password }, { address: newAddress() }),
          ),
        ),
      ])
      return answers
    })
    const right = others.reduce((sum, { answers }) => sum + answers.length, 0)
    for (const { name, answers } of others)
      expect({ name, statuses: statuses(answers) }).toEqual({ name, statuses: { 200: answers.length } })
    expectAtMost(60, verified - right, outcome)
    await guessUntilRefused(() => owner.email, newAddress)
    for (const answer of outcome) if (answer.status === 429) expectRefused(answer)
    // An unknown device gets the same answer with the right password as with a wrong one.
    const unknownDevice = await signIn({ email: owner.email, password }, { address: newAddress() })
    expectRefused(unknownDevice)
    expect(comparable(unknownDevice)).toEqual(comparable(await guess(owner.email, { address: newAddress() })))
    // Another account's cookie does not help.
    const theirs = await signIn(
      { email: neighbour.email, password },
      { address: newAddress(), browser: true },
    )
    expectRefused(
      await signIn(
        { email: owner.email, password },
        { address: newAddress(), browser: true, cookie: cookieOf(theirs) },
      ),
    )
  }, 240_000)

  test('200 addresses of one IPv6 network count as one guesser', async () => {
    const { email } = await person()
    const { verified, outcome } = await verifiedDuring(() =>
      many(200, (i) => guess(email, { address: inOneNetwork('1', i) }, i)),
    )
    expectAtMost(20, verified, outcome)
    expect((await signIn({ email, password }, { address: inOneNetwork('2', 1) })).status).toBe(200)
  })

  test('an owner locked out by an attack signs in on an unknown device with the password and a recovery code', async () => {
    const { email, codes } = await personWithCodes()
    const [used = '', unused = ''] = codes
    await many(80, (i) => guess(email, { address: newAddress() }, i))
    await guessUntilRefused(() => email, newAddress)
    const attempt = (recoveryCode: string, given = password) =>
      signIn({ email, password: given, recoveryCode }, { address: newAddress(), browser: true })
    expectRefused(await signIn({ email, password }, { address: newAddress() }))
    expectRefused(await attempt('aaaa-aaaa-aaaa-aaaa'))
    expect((await attempt(used, 'a wrong password')).status).toBe(401)
    expect((await attempt(used)).status).toBe(200)
    expectRefused(await attempt(used))
    expect((await attempt(unused)).status).toBe(200)
  })

  test('parallel guesses have the same limit as sequential ones', async () => {
    const [one, other] = [await person(), await person()]
    const address = newAddress()
    const ofOneAddress = await verifiedDuring(() =>
      Promise.all(Array.from({ length: 200 }, (_, i) => guess(one.email, { address }, i))),
    )
    expectAtMost(20, ofOneAddress.verified, ofOneAddress.outcome)
    const ofMany = await verifiedDuring(() =>
      Promise.all(Array.from({ length: 200 }, (_, i) => guess(other.email, { address: newAddress() }, i))),
    )
    expectAtMost(60, ofMany.verified, ofMany.outcome)
  })

  test('with the right password, a code has four guesses, also in parallel', async () => {
    const code = (email: string, address: string, i: number) =>
      signIn({ email, password, recoveryCode: `aaaa-aaaa-aaaa-aa${i + 10}` }, { address })
    const [slow, quick] = [await personWithCodes(), await personWithCodes()]
    const [here, there] = [newAddress(), newAddress()]
    const oneByOne: Answer[] = []
    for (let i = 0; i < 8; i++) oneByOne.push(await code(slow.email, here, i))
    expect(statuses(oneByOne)).toEqual({ 401: 4, 429: 4 })
    expect(oneByOne[0]?.body.error).toBe('invalid_totp')
    const atOnce = await Promise.all(Array.from({ length: 40 }, (_, i) => code(quick.email, there, i)))
    const { 401: checked = 0, 429: refused = 0, 503: crowded = 0 } = statuses(atOnce)
    expect(checked).toBeLessThanOrEqual(4)
    expect(refused + crowded).toBe(40 - checked)
  })
})

test('sign-in does not reveal if an email has an account: same answer, one verification each, same time', async () => {
  const { email } = await person()
  const rounds = 24
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const answers: Record<'known' | 'unknown', Answer[]> = { known: [], unknown: [] }
  const { verified } = await verifiedDuring(async () => {
    for (let i = 0; i < rounds; i++)
      for (const which of i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const from = { address: newAddress(), browser: i % 3 === 0 }
        const start = performance.now()
        answers[which].push(await guess(which === 'known' ? email : `unknown-${i}@example.com`, from, i))
        times[which].push(performance.now() - start)
      }
  })
  expect(verified).toBe(2 * rounds)
  for (let i = 0; i < rounds; i++)
    expect(comparable(answers.known[i] as Answer)).toEqual(comparable(answers.unknown[i] as Answer))
  expect(answers.known[0]).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } })
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[rounds / 2] ?? 0
  const ratio = median(times.known) / median(times.unknown)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
  expect(Math.min(...times.known)).toBeLessThan(Math.max(...times.unknown))
  expect(Math.min(...times.unknown)).toBeLessThan(Math.max(...times.known))
})
