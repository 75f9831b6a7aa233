import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { removeOperator } from '../../src/accounts/removeOperator.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import { newId } from '../../src/platform/ids.ts'
import { seeded } from '../faults/random.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { howMany } from '../support/full.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type Commit, noteAnswer, noteCommits, readCommits } from './commits.ts'
import { emptyHoldings, type Holdings, wrongOf } from './holdings.ts'

/**
 * Random changes of members, roles, invitations, keys and suspensions at the same time. The database records
 * the commit order; a model replays it and checks that the actor of each commit had the needed permission
 * just before. A suspension, and the end of a key, count from their answers: transactions in progress may
 * still commit before.
 */

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  await noteCommits(stack.db)
})
afterAll(() => stack?.close())

const command = systemActor('a test')
const roles = ['owner', 'developer', 'viewer'] as const

function createRandom(seed: number) {
  const next = seeded(seed)
  return {
    below: (n: number) => Math.floor(next() * n),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  }
}

interface World {
  business: string
  people: Person[]
  operators: Person[]
  sessions: Map<string, Headers>
  keys: { id: string; secret: string }[]
  invitations: { token: string; to: Person }[]
  statuses: number[]
}

async function worldOf(): Promise<World> {
  const [people, operators] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, () => addPerson(stack))),
    Promise.all([addPerson(stack, { operator: true }), addPerson(stack, { operator: true })]),
  ])
  const [owner, second, third] = people as [Person, Person, Person]
  const business = await addBusiness(stack, owner)
  await addMember(stack, business, 'owner', second)
  await addMember(stack, business, 'developer', third)
  const sessions = new Map<string, Headers>()
  for (const person of [...people, ...operators])
    sessions.set(person.id, (await sessionOf(stack, person)).headers)
  return { business, people, operators, sessions, keys: [], invitations: [], statuses: [] }
}

/** Tries one random action, allowed or not. */
async function act(world: World, random: ReturnType<typeof createRandom>): Promise<void> {
  const { business, people, operators, sessions, keys, invitations, statuses } = world
  const [actor, target, operator] = [random.of(people), random.of(people), random.of(operators)]
  const ask = async <T>(person: Person, path: string, body?: object, method = 'POST') => {
    const answer = await dashboard<T & { token?: string }>(
      stack,
      method,
      path,
      body,
      sessions.get(person.id) ?? ownHeader,
    )
    statuses.push(answer.status)
    return answer
  }
  const inside = <T>(path: string, body?: object, method?: string) =>
    ask<T>(actor, `/businesses/${business}${path}`, body, method)
  const invited = (token: string | undefined, to: Person) =>
    token !== undefined && invitations.push({ token, to })
  const ways: [weight: number, way: () => Promise<unknown>][] = [
    [
      4,
      async () =>
        invited(
          (await inside('/invitations', { email: target.email, role: random.of(roles) })).body.token,
          target,
        ),
    ],
    [
      4,
      async () => {
        if (invitations.length === 0) return
        const { token, to } = random.of(invitations)
        await ask(to, '/invitations/join', { token })
      },
    ],
    [3, () => inside(`/members/${target.id}`, { role: random.of(roles) }, 'PATCH')],
    [2, () => inside(`/members/${target.id}/remove`)],
    [1, () => inside('/leave')],
    [
      4,
      async () => {
        const { status, body } = await inside<{ key: { id: string }; secret: string }>('/keys', {
          name: 'till',
          scope: 'write',
        })
        if (status === 201) keys.push({ id: body.key.id, secret: body.secret })
      },
    ],
    [
      1,
      async () => {
        if (keys.length === 0) return
        const { id } = random.of(keys)
        const { status } = await inside(`/keys/${id}/revoke`)
        if (status === 200) await noteAnswer(stack.db, { revoked: id })
      },
    ],
    [
      4,
      async () => {
        if (keys.length === 0) return
        const address = `0x${random
          .below(2 ** 48)
          .toString(16)
          .padStart(40, '0')}`
        const { status } = await stack.api(
          'POST',
          '/monitoring/addresses',
          { chain: 'ethereum', address },
          { 'x-api-key': random.of(keys).secret },
        )
        statuses.push(status)
      },
    ],
    [
      2,
      () => inside('/payments', { localCurrency: random.of(['NGN', 'KES', 'GHS']), accepted: null }, 'PUT'),
    ],
    [
      1,
      async () => {
        const reason = `papers ${newId()}`
        const { status } = await ask(operator, `/operator/businesses/${business}/suspend`, { reason })
        if (status === 200) await noteAnswer(stack.db, { suspended: business, reason })
      },
    ],
    [3, () => ask(operator, `/operator/businesses/${business}/approve`)],
    [
      1,
      async () => {
        const { token } = await makeInvitation(stack.db, {
          purpose: 'operator',
          email: operator.email,
          invitedBy: null,
        })
        await removeOperator(stack, command, operator.email)
        const again = await makeInvitation(stack.db, {
          purpose: 'operator',
          email: operator.email,
          invitedBy: null,
        })
        await Promise.all(
          [token, again.token].map((each) => ask(operator, '/invitations/join', { token: each.reveal() })),
        )
      },
    ],
    [
      1,
      async () => {
        await ask(actor, '/sign-out-everywhere')
        sessions.set(actor.id, (await sessionOf(stack, actor)).headers)
      },
    ],
  ]
  let left = random.below(ways.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, way] of ways) {
    left -= weight
    if (left < 0) return void (await way())
  }
}

/** Checks that every credential opens exactly what the model allows. */
async function probe(
  { business, people, operators, sessions, keys, invitations }: World,
  holdings: Holdings,
): Promise<void> {
  for (const person of people) {
    const { status } = await dashboard(
      stack,
      'GET',
      `/businesses/${business}/keys`,
      undefined,
      sessions.get(person.id),
    )
    expect([person.id, status]).toEqual([
      person.id,
      holdings.roleOf(business, person.id) === null ? 404 : 200,
    ])
  }
  for (const person of operators) {
    const { status } = await dashboard(
      stack,
      'GET',
      '/operator/businesses',
      undefined,
      sessions.get(person.id),
    )
    expect([person.id, status]).toEqual([person.id, holdings.isOperator(person.id) ? 200 : 403])
  }
  for (const { id, secret } of keys) {
    const { status } = await stack.api('GET', '/monitoring/addresses', undefined, { 'x-api-key': secret })
    const ofHolder = holdings.isSuspended(business) ? 403 : 200
    expect([id, status]).toEqual([id, holdings.keyHolds(id) ? ofHolder : 401])
  }
  for (const { token } of invitations) {
    const { status } = await dashboard(stack, 'POST', '/invitations/look', { token }, ownHeader)
    expect([token, status]).toEqual([token, holdings.offers(token) ? 200 : 404])
  }
}

test('nothing is done with a right that was lost, and lost credentials open nothing', async () => {
  const seeds = Array.from({ length: howMany(20, 200) }, (_, i) => i + 1)
  const worlds: World[] = []
  const live = async (seed: number) => {
    const world = await worldOf()
    worlds.push(world)
    const random = createRandom(seed)
    const worker = async () => {
      for (let i = 0; i < 6; i++) await act(world, random)
    }
    await Promise.all(Array.from({ length: 5 }, worker))
  }
  for (let i = 0; i < seeds.length; i += 4) await Promise.all(seeds.slice(i, i + 4).map(live))
  const holdings = emptyHoldings()
  const commits: Commit[] = await readCommits(stack.db)
  const wrong = commits.flatMap((commit) => {
    const found = wrongOf(holdings, commit)
    holdings.apply(commit)
    return found
  })
  expect(wrong).toEqual([])
  expect(holdings.openOffersWithoutRight()).toEqual([])
  await Promise.all(worlds.map((world) => probe(world, holdings)))
  const statuses = worlds.flatMap((world) => world.statuses)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  // Enough was done, and enough was refused.
  for (const status of [200, 201, 401, 403, 404])
    expect([status, statuses.includes(status)]).toEqual([status, true])
})
