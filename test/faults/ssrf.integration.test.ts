import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type AttemptResult, attemptDelivery } from '../../src/webhooks/attempt.ts'
import { createEgress, type Egress, ForbiddenAddressError } from '../../src/webhooks/egress.ts'
import { generateWebhookSecret } from '../../src/webhooks/secret.ts'
import { type ConnectProxy, startConnectProxy } from '../support/connectProxy.ts'
import { countConnects, type Listeners, startListeners } from '../support/silentSockets.ts'
import { type SsrfTarget, ssrfTargets, urlOf } from '../support/ssrfTargets.ts'
import { waitFor } from '../support/waitFor.ts'

/** Stands for a receiver on the internet: the only local address that the guard allows. */
const outside = '127.0.0.9'
const timeoutMs = 15_000
const secret = generateWebhookSecret()
const forbidden = new ForbiddenAddressError().message

let listeners: Listeners
let proxy: ConnectProxy
let egress: Egress
/** Names that were resolved. */
let resolved: string[]
/** Answers of the resolver by name, one per lookup; the last one repeats. */
let answers: Map<string, (readonly string[])[]>

beforeAll(async () => {
  const reached = ssrfTargets.map(({ reaches }) => reaches).filter((address) => address !== null)
  listeners = await startListeners([...new Set(['127.0.0.1', outside, ...reached])])
  proxy = await startConnectProxy()
})
afterAll(async () => {
  await listeners.close()
  await proxy.close()
})
beforeEach(() => {
  resolved = []
  answers = new Map()
  listeners.heard.clear()
  listeners.redirect = null
  proxy.asked.length = 0
  start([])
})
afterEach(() => egress.close())

const start = (
  allow: readonly string[],
  { throughProxy = false, own = undefined as string[] | undefined } = {},
) => {
  egress = createEgress({
    allow,
    proxyUrl: throughProxy ? `http://127.0.0.1:${proxy.port}` : null,
    timeoutMs,
    lookup: async (name) => {
      resolved.push(name)
      const [next, ...rest] = answers.get(name) ?? []
      if (next === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}`)
      if (rest.length > 0) answers.set(name, rest)
      return [...next]
    },
    ...(own ? { ownAddresses: () => own } : {}),
  })
}

const post = (url: string): Promise<AttemptResult> =>
  attemptDelivery({ dispatcher: egress.dispatcher, timeoutMs }, { url, secret, id: 'event-1', body: '{}' })

/** Posts to a target whose name resolves to its addresses. */
function attempt(target: SsrfTarget): Promise<AttemptResult> {
  const url = urlOf(target, listeners.port)
  if (target.answers) answers.set(new URL(url).hostname, [target.answers])
  return post(url)
}

const expectRefused = (result: AttemptResult, target: SsrfTarget) => {
  expect(result).toMatchObject({ outcome: 'failed', responseStatus: null, responseBody: null })
  expect(result.error).toEqual(target.invalid ? expect.stringContaining('Invalid URL') : forbidden)
}

const rows = ssrfTargets.map(
  (target) =>
    [
      `${JSON.stringify(target.host)}${target.answers ? ` (${target.answers.join(', ')})` : ''}`,
      target,
    ] as const,
)
const reachable = rows.filter(([, { reaches }]) => reaches !== null)

test('the table has at least 60 distinct targets, most of them with a listening socket on any machine', () => {
  expect(new Set(ssrfTargets.map(({ host }) => host)).size).toBe(ssrfTargets.length)
  expect(ssrfTargets.length).toBeGreaterThanOrEqual(60)
  expect(
    reachable.filter(([, { reaches }]) => listeners.addresses.includes(reaches ?? '')).length,
  ).toBeGreaterThanOrEqual(40)
})

describe('with the guard', () => {
  test.each(rows)('%s is refused at once, without a connection attempt', async (_, target) => {
    const connects = countConnects()
    const result = await attempt(target)
    connects.stop()
    expectRefused(result, target)
    expect(result.durationMs).toBeLessThan(timeoutMs / 10)
    expect(connects.begun).toBe(0)
    expect(resolved).toHaveLength(target.answers ? 1 : 0)
  })

  test('all targets at once are refused, and no listening socket gets a connection', async () => {
    start([outside])
    const results = await Promise.all(ssrfTargets.map(attempt))
    for (const [i, target] of ssrfTargets.entries()) expectRefused(results[i] as AttemptResult, target)
    await listeners.settle()
    expect([...listeners.heard.values()].every((count) => count === 0)).toBe(true)
    expect(listeners.heard.size).toBe(listeners.addresses.length)
  })

  test('an egress proxy gets no request for them', async () => {
    start([], { throughProxy: true })
    const connects = countConnects()
    const results = await Promise.all(ssrfTargets.map(attempt))
    connects.stop()
    for (const [i, target] of ssrfTargets.entries()) expectRefused(results[i] as AttemptResult, target)
    expect(connects.begun).toBe(0)
    expect(proxy.asked).toEqual([])
  })

  test("this machine's own address is refused even if it is a public one", async () => {
    start([], { own: ['9.9.9.9', '2620:fe::fe'] })
    const connects = countConnects()
    const own = ['9.9.9.9', '[2620:fe::fe]', '[::ffff:9.9.9.9]'].map(
      (host): SsrfTarget => ({ host, reaches: null }),
    )
    for (const target of [
      ...own,
      { host: 'own.example.com', answers: ['9.9.9.9', '2620:fe::fe'], reaches: null },
    ])
      expectRefused(await attempt(target), target)
    connects.stop()
    expect(connects.begun).toBe(0)
  })
})

describe('with the guard switched off', () => {
  const everything = [
    '0.0.0.0/0',
    '::/0',
    ...ssrfTargets.filter((target) => target.answers).map((target) => new URL(urlOf(target, 80)).hostname),
  ]

  test.each(reachable)('%s is reached: without the guard it would be exposed', async (_, target) => {
    start(everything)
    // A machine without IPv6 lacks some sockets; those of 127.0.0.1 always exist.
    if (!listeners.addresses.includes(target.reaches ?? '')) return
    const connects = countConnects()
    await attempt(target)
    connects.stop()
    await waitFor(
      `a connection to ${target.reaches}`,
      async () => (listeners.heard.get(target.reaches ?? '') ?? 0) > 0,
    )
    expect(connects.begun).toBeGreaterThan(0)
  })
})

describe('a public receiver', () => {
  const name = 'hooks.example.com'
  const url = () => `http://${name}:${listeners.port}/hooks`
  const heard = async () => {
    await listeners.settle()
    return Object.fromEntries([...listeners.heard].filter(([, count]) => count > 0))
  }

  test.each([301, 302, 303, 307, 308])(
    'that redirects to an internal address by a %i is not followed',
    async (status) => {
      start([outside])
      answers.set(name, [[outside]])
      const targets = [
        `http://127.0.0.1:${listeners.port}/`,
        `//127.0.0.1:${listeners.port}/`,
        'http://169.254.169.254/latest/meta-data/',
      ]
      for (const location of targets) {
        listeners.redirect = { status, location }
        expect(await post(url())).toMatchObject({ outcome: 'failed', responseStatus: status })
      }
      expect(await heard()).toEqual({ [outside]: targets.length })
      expect(resolved).toHaveLength(targets.length)
    },
  )

  test('whose name later resolves to an internal address is not reached then, and is reached again when it resolves outside', async () => {
    start([outside])
    answers.set(name, [[outside], ['127.0.0.1'], ['::1', '127.0.0.1'], [outside]])
    expect(await post(url())).toMatchObject({ outcome: 'delivered' })
    expect(await post(url())).toMatchObject({ outcome: 'failed', error: forbidden })
    expect(await post(url())).toMatchObject({ outcome: 'failed', error: forbidden })
    expect(await post(url())).toMatchObject({ outcome: 'delivered' })
    expect(await heard()).toEqual({ [outside]: 2 })
  })

  test('is resolved once per connection: the checked address is the dialled one', async () => {
    start([outside])
    answers.set(name, [[outside], ['127.0.0.1']])
    expect(await post(url())).toMatchObject({ outcome: 'delivered' })
    expect(resolved).toEqual([name])
    expect(await heard()).toEqual({ [outside]: 1 })
  })

  test.each([
    ['after', [outside, '127.0.0.1', '10.0.0.1']],
    ['before', ['::1', '169.254.169.254', '127.0.0.1', outside]],
  ])(
    'whose name also resolves to internal addresses is dialled at the public one only: internal ones come %s',
    async (_, addresses) => {
      start([outside])
      answers.set(name, [addresses])
      expect(await post(url())).toMatchObject({ outcome: 'delivered' })
      expect(await heard()).toEqual({ [outside]: 1 })
    },
  )

  test('that does not listen causes no attempt at an internal address', async () => {
    start(['127.0.0.8'])
    answers.set(name, [['127.0.0.8', '127.0.0.1', '::1']])
    expect(await post(url())).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('ECONNREFUSED 127.0.0.8'),
    })
    expect(await heard()).toEqual({})
  })

  test('is requested from a proxy by its address, and never by its name', async () => {
    start([outside], { throughProxy: true })
    answers.set(name, [['10.0.0.1', outside, '127.0.0.1'], ['127.0.0.1']])
    expect(await post(url())).toMatchObject({ outcome: 'delivered' })
    expect(await post(url())).toMatchObject({ outcome: 'failed', error: forbidden })
    expect(proxy.asked.map(({ authority }) => authority)).toEqual([`${outside}:${listeners.port}`])
    expect(await heard()).toEqual({ [outside]: 1 })
  })
})
