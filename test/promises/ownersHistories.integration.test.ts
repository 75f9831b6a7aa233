import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { addPerson, type Person } from '../support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { howMany } from '../support/full.ts'
import { OwnersModel, type Role } from './owners/model.ts'
import { errorOf, World } from './owners/world.ts'

// Two owners, three developers and their keys: random histories of invitations, promotions, keys, requests,
// decisions and looser settings. Nothing that is protected moves by one person's will, with any others that
// this person brought in.

let database: TestDatabase
let people: Person[]

beforeAll(async () => {
  database = await createTestDatabase()
  people = []
  for (let i = 0; i < 8; i++) people.push(await addPerson(database))
})
afterAll(() => database?.drop())

const start: ReadonlyMap<number, Role> = new Map([
  [0, 'owner'],
  [1, 'owner'],
  [2, 'developer'],
  [3, 'developer'],
  [4, 'developer'],
])

const person = fc.nat({ max: 7 })
const pick = fc.nat({ max: 5 })
/** Mostly one of the two owners; mostly another account. */
const owner = fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 1 }) }, person)
const other = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 2, max: 7 }) }, person)
const role = fc.constantFrom<Role>('owner', 'developer', 'viewer')
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('invite' as const), by: owner, who: other, role }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('promote' as const), by: owner, who: other, role }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('makeKey' as const, 'rotateKey' as const, 'permitKey' as const),
      by: person,
      key: pick,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('request' as const, 'requestByKey' as const),
      by: other,
      key: pick,
    }),
  },
  fc.record({ do: fc.constant('threshold' as const), by: owner, to: fc.constantFrom('5', '10', '50', null) }),
  fc.record({ do: fc.constant('wallet' as const), by: owner, open: fc.boolean() }),
  fc.record({ do: fc.constant('autopayout' as const), by: owner, target: fc.constantFrom(0, 1, null) }),
  fc.record({ do: fc.constant('destination' as const), by: owner }),
  { weight: 6, arbitrary: fc.record({ do: fc.constant('decide' as const), by: owner, which: pick }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const ranks: readonly Role[] = ['viewer', 'developer', 'owner']
const isHigher = (one: Role, other: Role) => ranks.indexOf(one) > ranks.indexOf(other)

/** The operations that a role may call; the routes refuse others. */
function mayCall(model: OwnersModel, { do: what, by }: Step): boolean {
  const of = model.roles.get(by)
  if (['makeKey', 'rotateKey', 'permitKey', 'request', 'requestByKey'].includes(what))
    return of === 'owner' || of === 'developer'
  return of === 'owner'
}

/** Runs a step in the product, and gives the model what people did; not whether the product allows it. */
async function run(
  world: World,
  model: OwnersModel,
  each: Step,
  keys: { name: string; id: string }[],
): Promise<void> {
  const own = model.roles.get(each.by) ?? 'viewer'
  const key = 'key' in each ? keys[each.key % Math.max(keys.length, 1)] : undefined
  switch (each.do) {
    case 'invite': {
      if (model.roles.has(each.who)) return
      await world.invite(each.by, each.who, each.role)
      // Two owners agree on a third one.
      model.roles.set(each.who, each.role === 'owner' ? 'viewer' : each.role)
      return model.brings(each.by, each.who)
    }
    case 'promote': {
      const had = model.roles.get(each.who)
      if (had === undefined || had === 'owner' || !isHigher(each.role, had)) return
      await world.promote(each.by, each.who, each.role)
      if (each.role === 'owner') return
      model.roles.set(each.who, each.role)
      return model.brings(each.by, each.who)
    }
    case 'makeKey': {
      const id = await world.makeKey(each.by, own)
      keys.push({ name: id, id })
      return model.makesKey(each.by, id)
    }
    case 'rotateKey': {
      if (!key) return
      key.id = await world.rotate(each.by, own, key.id)
      return model.makesKey(each.by, key.name)
    }
    case 'permitKey': {
      if (!key) return
      await world.permit(each.by, own, key.id)
      return model.makesKey(each.by, key.name)
    }
    case 'request':
      return void (await world.requestRefund(each.by))
    case 'requestByKey':
      return key && void (await world.requestRefund(key.id))
    case 'threshold':
      return world.setThreshold(each.by, each.to)
    case 'wallet':
      return world.setWallet(each.by, each.open)
    case 'autopayout':
      return world.setAutopayout(each.by, each.target)
    case 'destination':
      return void (await world.addDestination(each.by))
    case 'decide':
      return
  }
}

type Holds = Awaited<ReturnType<World['holds']>>
const looserThreshold = (before: string | null, after: string | null) =>
  before !== null && (after === null || Number(after) > Number(before))

/** What of the protected state moved towards less protection. */
const moved = (before: Holds, after: Holds): string[] => [
  ...(looserThreshold(before.threshold, after.threshold) ? ['threshold'] : []),
  ...(!before.wallet && after.wallet ? ['wallet'] : []),
  ...(after.autopayout !== null && after.autopayout !== before.autopayout ? ['autopayout'] : []),
  ...(after.owners.some((id) => !before.owners.includes(id)) ? ['owners'] : []),
  ...(after.targets.some((id) => !before.targets.includes(id)) ? ['targets'] : []),
]
/** Without a threshold, targets are not protected: two people took it away. */
const isProtected = (before: Holds) => (name: string) =>
  before.threshold !== null || (name !== 'autopayout' && name !== 'targets')

async function decide(
  world: World,
  model: OwnersModel,
  { by, which }: { by: number; which: number },
): Promise<boolean> {
  const open = [...model.requests].filter(([, { approvedBy }]) => approvedBy === null)
  const [id, request] = open[which % Math.max(open.length, 1)] ?? []
  if (id === undefined || request === undefined) return false
  const outcome = await world.decide(by, id)
  const alone = model.couldRequest(by, request.by)
  if (model.roles.get(by) !== 'owner') expect(outcome).toBe('insufficient_role')
  else if (alone) expect(['own_request', 'approval_void']).toContain(outcome)
  else expect(request.isPayment ? ['approved'] : ['approved', 'approval_void']).toContain(outcome)
  if (outcome !== 'approved') return false
  expect(alone).toBe(false)
  request.approvedBy = by
  return true
}

/** A new owner, whom the one who requested it promoted. */
async function noteOwners(
  world: World,
  model: OwnersModel,
  before: Holds,
  after: Holds,
  id: string | undefined,
): Promise<void> {
  for (const account of after.owners.filter((each) => !before.owners.includes(each))) {
    const index = world.people.findIndex((each) => each.id === account)
    model.roles.set(index, 'owner')
    const by = id === undefined ? undefined : model.requests.get(id)?.by
    if (typeof by === 'number') model.brings(by, index)
  }
}

async function history(steps: readonly Step[]): Promise<void> {
  const [world, model, keys] = [
    new World(database, people),
    new OwnersModel(),
    [] as { name: string; id: string }[],
  ]
  await world.open(start)
  for (const [index, of] of start) model.roles.set(index, of)
  let before = await world.holds()
  for (const each of steps) {
    const approved = new Set(
      [...model.requests].filter(([, { approvedBy }]) => approvedBy !== null).map(([id]) => id),
    )
    let agreed = false
    if (each.do === 'decide') agreed = await decide(world, model, each)
    else if (mayCall(model, each))
      await run(world, model, each, keys).catch((error) =>
        expect(['key_replaced', 'already_member']).toContain(errorOf(error)),
      )
    const nameOf = (by: number | string) => keys.find(({ id }) => id === by)?.name ?? by
    for (const { id, subject, by } of await world.newRequests(model.requests))
      model.requests.set(id, { by: nameOf(by), approvedBy: null, isPayment: subject === 'payout' })
    const after = await world.holds()
    // Only the decision of a person who could not have made the request alone moves something.
    if (!agreed) expect(moved(before, after).filter(isProtected(before))).toEqual([])
    const decision = [...model.requests].find(
      ([id, { approvedBy }]) => approvedBy !== null && !approved.has(id),
    )?.[0]
    await noteOwners(world, model, before, after, decision)
    before = after
  }
  for (const [id, { approvedBy, isPayment }] of model.requests)
    if (isPayment) expect(await world.mayLeave(id)).toBe(approvedBy !== null)
}

test(
  'nothing protected moves by one person',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), (steps) => history(steps)),
      { numRuns: howMany(15, 5000), endOnFailure: true },
    )
  },
  howMany(240_000, 7_200_000),
)
