import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { actorOf } from '../../src/accounts/signIn.ts'
import { decideApproval } from '../../src/approvals/decideApproval.ts'
import { decidedSetting } from '../../src/approvals/decidedSetting.ts'
import type { Actor } from '../../src/audit/recordAudit.ts'
import { setOwnersFactor } from '../../src/businesses/setOwnersFactor.ts'
import { approvalSources } from '../../src/capabilities.ts'
import { type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import { createDestination } from '../../src/destinations/createDestination.ts'
import { decidedDestination } from '../../src/destinations/decidedDestination.ts'
import { getDestination } from '../../src/destinations/getDestination.ts'
import type { Outflow } from '../../src/outflows/outflow.ts'
import { intentStop } from '../../src/outflows/outflowGate.ts'
import { readDestination, refusalOfDestination } from '../../src/outflows/outflowPolicy.ts'
import { getAutopayout, setAutopayout } from '../../src/payouts/autopayout.ts'
import { getPayoutSettings, setPayoutSettings } from '../../src/payouts/payoutSettings.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { readLimits } from '../../src/spendingLimits/readLimits.ts'
import { decidedLimits, setLimits } from '../../src/spendingLimits/setLimits.ts'
import { addPerson, type Person } from '../support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness, insertMember } from '../support/madeBusiness.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { makeWallet } from '../support/waitingTransfer.ts'

// Every setting that protects money, in a real database: what is stricter holds at once, what is looser waits
// for a second owner and the cooling-off time.

const chains = ['ethereum', 'base'].flatMap((name) => knownChain(name) ?? []) as unknown as ConfiguredChain[]
const appKey = new Secret(randomBytes(32).toString('base64'))
const setting = decidedSetting(approvalSources.settings)
const decided = { destination: decidedDestination, limits: decidedLimits, setting }

let database: TestDatabase
const of = () => ({ db: database.db, excessHoldDays: 30 })
let businessId: string
let [ada, bola]: [Person, Person] = [
  { id: '', email: '' },
  { id: '', email: '' },
]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await open()
  ;[ada, bola] = [await join(), await join()]
})

const as = (person: Person): Actor => actorOf(person, { address: '127.0.0.1', requestId: 'made-by-a-test' })

async function open(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id, 'pays')
  return id
}
async function join(): Promise<Person> {
  const person = await addPerson(database)
  await insertMember(database.db, businessId, person.id)
  return person
}
/** Bola is no member: Ada is the only owner. */
const alone = () =>
  database.db.query('delete from members where business_id = $1 and account_id = $2', [businessId, bola.id])

const decide = (person: Person, id: string | undefined, decision: 'approved' | 'refused' = 'approved') =>
  decideApproval({ db: database.db, prover: provers.api, decided }, as(person), {
    businessId,
    id: id ?? '',
    accountId: person.id,
    decision,
  }).then(
    () => decision,
    ({ error }) => error,
  )
/** The cooling-off time passes for everything that waits for it. */
async function later(hours = 24): Promise<void> {
  const by = `interval '${hours} hours'`
  const next = (name: string) =>
    `case when limits->'${name}'->'next'->>'from' is not null
      then jsonb_build_object('${name}', jsonb_set(limits->'${name}', '{next,from}', to_jsonb((limits->'${name}'->'next'->>'from')::timestamptz - ${by}))) else '{}' end`
  await database.db.query(
    `update payout_settings set next_from = next_from - ${by}, next_excess_hold_from = next_excess_hold_from - ${by},
       limits = limits || ${next('maxPerPayout')} || ${next('maxPerDay')} || ${next('approvalAbove')}
     where business_id = $1`,
    [businessId],
  )
  await database.db.query(`update send_limits set next_from = next_from - ${by} where business_id = $1`, [
    businessId,
  ])
  await database.db.query(
    `update businesses set second_factor_until = second_factor_until - ${by} where id = $1`,
    [businessId],
  )
  await database.db.query(`update approvals set asked_at = asked_at - ${by} where business_id = $1`, [
    businessId,
  ])
}

/** A setting that protects money: how it is set, and what holds. */
interface Case {
  name: string
  set(by: Person, to: 'strict' | 'loose'): Promise<{ id: string } | null | undefined>
  holds(): Promise<'strict' | 'loose'>
}

const payoutSettings = (name: 'maxPerPayout' | 'maxPerDay' | 'approvalAbove'): Case => ({
  name,
  set: async (by, to) =>
    (
      await setPayoutSettings(of(), as(by), businessId, {
        coolingOffHours: 24,
        [name]: to === 'strict' ? '100' : null,
      })
    ).waitingApproval,
  holds: async () => ((await getPayoutSettings(of(), businessId))[name] === '100' ? 'strict' : 'loose'),
})
let wallet = ''
const limits = { strict: { amounts: [], destinations: null }, loose: { amounts: null, destinations: null } }
const sending = (kind: 'wallet' | 'key'): Case => ({
  name: `limits of a ${kind}`,
  set: async (by, to) =>
    (
      await setLimits(
        { ...database, chains },
        as(by),
        { businessId, subject: { kind, id: wallet }, only: null },
        limits[to],
      )
    ).approval,
  holds: async () =>
    (await readLimits(database.db, { kind, id: wallet })).amounts === null ? 'loose' : 'strict',
})
const cases: Case[] = [
  payoutSettings('maxPerPayout'),
  payoutSettings('maxPerDay'),
  payoutSettings('approvalAbove'),
  {
    name: 'cooling-off time',
    set: async (by, to) =>
      (await setPayoutSettings(of(), as(by), businessId, { coolingOffHours: to === 'strict' ? 24 : 1 }))
        .waitingApproval,
    holds: async () =>
      (await getPayoutSettings(of(), businessId)).coolingOffHours === 24 ? 'strict' : 'loose',
  },
  {
    name: 'how long an excess is held',
    set: async (by, to) =>
      (
        await setPayoutSettings(of(), as(by), businessId, {
          coolingOffHours: 24,
          excessHoldDays: to === 'strict' ? 60 : 10,
        })
      ).waitingApproval,
    holds: async () =>
      (await getPayoutSettings(of(), businessId)).excessHoldDays === 60 ? 'strict' : 'loose',
  },
  sending('wallet'),
  sending('key'),
  {
    name: 'second factor',
    set: async (by, to) =>
      (await setOwnersFactor(database, as(by), businessId, to === 'strict', 'totp')).waitingApproval,
    holds: async () =>
      (await setOwnersFactor(database, as(ada), businessId, true, 'totp')).ownersNeedSecondFactor
        ? 'strict'
        : 'loose',
  },
]

describe.each(cases)('$name', ({ name, set, holds }) => {
  /** Reading the last one would set it. */
  const required = async () => {
    if (name !== 'second factor') return holds()
    const rows = await database.db.query(
      'select 1 from businesses where id = $1 and requires_second_factor and coalesce(second_factor_until > now(), true)',
      [businessId],
    )
    return rows.length > 0 ? 'strict' : 'loose'
  }
  beforeEach(async () => {
    wallet = await makeWallet(database.db, businessId)
    expect(await set(ada, 'strict')).toBeFalsy()
    expect(await required()).toBe('strict')
  })

  test('looser waits for a second owner and the cooling-off time, and is void when it was changed meanwhile', async () => {
    const asked = await set(ada, 'loose')
    expect(asked).toBeTruthy()
    expect((await set(ada, 'loose'))?.id).toBe(asked?.id)
    await later()
    expect(await required()).toBe('strict')
    expect(await decide(ada, asked?.id)).toBe('own_request')
    expect(await decide(bola, asked?.id)).toBe('approved')
    // The cooling-off time had passed since it was requested.
    expect(await required()).toBe('loose')
  })

  test('looser that is approved at once waits for the cooling-off time; stricter ends it', async () => {
    const asked = await set(ada, 'loose')
    expect(await decide(bola, asked?.id)).toBe('approved')
    expect(await required()).toBe('strict')
    await later(23)
    expect(await required()).toBe('strict')
    await later(1)
    expect(await required()).toBe('loose')
    expect(await set(bola, 'strict')).toBeFalsy()
    expect(await required()).toBe('strict')
    const again = await set(bola, 'loose')
    expect(await decide(ada, again?.id, 'refused')).toBe('refused')
    await later()
    expect(await required()).toBe('strict')
  })

  test('one owner alone waits for the cooling-off time only', async () => {
    await alone()
    expect(await set(ada, 'loose')).toBeFalsy()
    expect(await required()).toBe('strict')
    await later()
    expect(await required()).toBe('loose')
  })
})

test('a change that is stricter in a part applies that part at once, and requests the rest', async () => {
  await setPayoutSettings(of(), as(ada), businessId, {
    coolingOffHours: 24,
    maxPerPayout: '100',
    maxPerDay: '500',
  })
  const set = await setPayoutSettings(of(), as(ada), businessId, {
    coolingOffHours: 12,
    maxPerPayout: '50',
    maxPerDay: '501',
  })
  expect(set).toMatchObject({
    maxPerPayout: '50',
    maxPerDay: '500',
    coolingOffHours: 24,
    next: null,
    nextLimits: { maxPerDay: null },
  })
  const [asked] = await database.db.query<{ wanted: object }>('select wanted from approvals where id = $1', [
    set.waitingApproval?.id,
  ])
  const fields = {
    before: { coolingOffHours: 24, maxPerDay: '500' },
    after: { coolingOffHours: 12, maxPerDay: '501' },
  }
  expect(asked?.wanted).toEqual({ setting: 'payout_settings', ...fields })
  await setPayoutSettings(of(), as(ada), businessId, { coolingOffHours: 24, maxPerDay: '400' })
  expect(await decide(bola, set.waitingApproval?.id)).toBe('approval_void')
  expect(await decide(bola, set.waitingApproval?.id, 'refused')).toBe('refused')
})

describe('where payouts need an approval', () => {
  const banks = async () => ({ banks: [], asOf: new Date() })
  const save = (by: Person | null, address = `0x${randomBytes(20).toString('hex')}`) =>
    createDestination(
      { ...database, chains, banks, appKey, requestKey: async () => appKey, prover: provers.api },
      businessId,
      { chain: 'ethereum', address },
      async () => {},
      by ? { accountId: by.id, apiKeyId: null } : undefined,
    )
  const approvalOf = async (id: string) =>
    (
      await database.db.query<{ id: string }>(
        "select id from approvals where subject = 'destination' and subject_id = $1",
        [id],
      )
    )[0]?.id
  const stopOf = (destinationId: string) =>
    database.db.tx((tx) =>
      intentStop({ screening: null, coinUsd: new Map() }, tx, {
        id: newId(),
        businessId,
        destinationId,
        needsApproval: false,
        automatic: false,
        sessionId: null,
        paymentId: null,
      } as Outflow),
    )
  /** The treasury's decision, by its own check. */
  const refusal = (destinationId: string) =>
    database.db.tx(async (tx) => {
      const outflow = { destinationId, businessId } as Outflow
      return refusalOfDestination(tx, await readDestination(tx, outflow), proofs, () => true, false)
    })
  const statusOf = async (id: string) =>
    (await getDestination({ ...database, appKey }, businessId, id)).status
  const usable = (id: string) =>
    database.db.query(
      "update payout_destinations set usable_from = date_trunc('milliseconds', now()) where id = $1",
      [id],
    )

  beforeEach(async () => {
    await setPayoutSettings(of(), as(ada), businessId, { coolingOffHours: 0, approvalAbove: '100' }).catch(
      () => {},
    )
    await database.db.query(
      'update payout_settings set cooling_off_hours = 0, next_hours = null, next_from = null where business_id = $1',
      [businessId],
    )
  })

  test('a new destination is paid after a second owner has approved it', async () => {
    const { id, status } = await save(ada)
    expect(status).toBe('awaiting_approval')
    expect(await stopOf(id)).toMatchObject({ reason: 'destination_approval', ends: false })
    expect(await refusal(id)).toBe('its destination has no approval of a second owner')
    expect(await decide(ada, await approvalOf(id))).toBe('own_request')
    expect(await decide(bola, await approvalOf(id))).toBe('approved')
    expect([await statusOf(id), await refusal(id)]).toEqual(['usable', null])
    // Its requester may leave.
    await database.db.query("update members set role = 'viewer' where business_id = $1 and account_id = $2", [
      businessId,
      ada.id,
    ])
    expect(await refusal(id)).toBeNull()
  })

  test('a row without the requirement has no proof, and one that is refused is archived', async () => {
    const { id } = await save(ada)
    await database.db.query('update payout_destinations set needs_approval = false where id = $1', [id])
    expect(await refusal(id)).toBe('its destination has no valid proof of the API')
    await database.db.query('update payout_destinations set needs_approval = true where id = $1', [id])
    expect(await decide(bola, await approvalOf(id), 'refused')).toBe('refused')
    expect([await statusOf(id), (await stopOf(id))?.reason]).toEqual(['archived', 'destination_archived'])
  })

  test('a destination that was not approved in time is not paid, and can be saved again', async () => {
    const address = `0x${randomBytes(20).toString('hex')}`
    const { id } = await save(ada, address)
    await database.db.query(
      "update approvals set expires_at = now() - interval '1 second' where subject_id = $1",
      [id],
    )
    expect(await stopOf(id)).toMatchObject({
      reason: 'destination_not_approved',
      ends: 'destination_archived',
    })
    const again = await save(ada, address)
    expect([again.status, await statusOf(id)]).toEqual(['awaiting_approval', 'archived'])
  })

  test('one owner alone, and a business without the threshold, need no approval', async () => {
    await alone()
    expect((await save(ada)).status).toBe('usable')
    businessId = await open()
    await database.db.query('insert into payout_settings (business_id, cooling_off_hours) values ($1, 0)', [
      businessId,
    ])
    ;[ada, bola] = [await join(), await join()]
    expect((await save(ada)).status).toBe('usable')
  })

  test('autopayout that is switched on, or gets another destination, waits for a second owner; switching it off does not', async () => {
    const ctx = { ...database, chains, paymentPartner: null }
    const [one, other] = [
      await makeDestination(database.db, businessId),
      await makeDestination(database.db, businessId),
    ]
    await usable(one)
    const set = (enabled: boolean, destinationId: string) =>
      setAutopayout(ctx, as(ada), businessId, [{ chain: 'ethereum', token: 'USDC', enabled, destinationId }])
    const setting = async () => {
      const { networks } = await getAutopayout(ctx, businessId)
      const { enabled, destinationId } = networks[0]?.tokens.find(({ token }) => token === 'USDC') ?? {}
      return [enabled, destinationId]
    }
    const first = (await set(true, one)).waitingApproval
    expect(await setting()).toEqual([false, null])
    expect(await decide(ada, first?.id)).toBe('own_request')
    expect(await decide(bola, first?.id)).toBe('approved')
    expect(await setting()).toEqual([true, one])
    expect((await set(true, one)).waitingApproval).toBeUndefined()
    const second = (await set(true, other)).waitingApproval
    expect(await setting()).toEqual([true, one])
    expect((await set(false, one)).waitingApproval).toBeUndefined()
    expect(await setting()).toEqual([false, one])
    expect(await decide(bola, second?.id)).toBe('approval_void')
  })
})
