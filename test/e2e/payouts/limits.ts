import { expect, test } from '@jest/globals'
import { addMember } from '../../support/dashboardSession.ts'
import {
  ask,
  at,
  create,
  inDashboard,
  million,
  openBusiness,
  type Paying,
  type Payout,
  type Refusal,
  refusal,
  stack,
  stored,
} from './calls.ts'

export function limits(): void {
  const set = <T = object>(of: Paying, wanted: object) =>
    inDashboard<T>(of.first, 'PUT', '/payout-settings', { coolingOffHours: 24, ...wanted }, of.businessId)

  test('a payout, and those of a day, also when many are requested at a time', async () => {
    const own = await openBusiness(1000n * million)
    await set(own, { maxPerPayout: '2.5', maxPerDay: '20' })
    const wanted = (amount: string) =>
      create<Payout & Refusal>({ amount, destination: { id: own.wallet } }, own.token)
    const before = await stored()
    const tooLarge = await wanted('2.500001')
    expect([...refusal(tooLarge), tooLarge.body.message]).toEqual([
      403,
      'limit_exceeded',
      'amount',
      expect.stringContaining('2.5 US dollars'),
    ])
    expect(await stored()).toBe(before)
    const answers = await Promise.all(Array.from({ length: 40 }, () => wanted('1')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(
      new Set(answers.filter(({ status }) => status !== 201).map((each) => refusal(each).join(' '))),
    ).toEqual(new Set(['403 limit_exceeded amount']))
    // What is cancelled does not count.
    const [first] = answers.filter(({ status }) => status === 201)
    await ask('POST', `/payouts/${first?.body.id}/cancel`, undefined, own.token)
    expect([(await wanted('1.000001')).status, (await wanted('1')).status]).toEqual([403, 201])
    // What was requested a day ago counts while it is open, and for a day after it left.
    await stack.db.query(
      "update outflows set counted_at = now() - interval '25 hours' where business_id = $1",
      [own.businessId],
    )
    expect((await wanted('1')).status).toBe(403)
    await stack.db.query(
      "update outflows set status = 'completed', next_at = null, completed_at = now() - interval '23 hours' where business_id = $1 and status = 'pending'",
      [own.businessId],
    )
    expect((await wanted('1')).status).toBe(403)
    await stack.db.query(
      "update outflows set completed_at = now() - interval '25 hours' where business_id = $1 and status = 'completed'",
      [own.businessId],
    )
    expect((await wanted('1')).status).toBe(201)
  })

  test('apply at once when they are lower, and after the cooling-off time when they are higher; one that is left out stays', async () => {
    const own = await openBusiness(1000n * million)
    const none = { maxPerPayout: null, maxPerDay: null, approvalAbove: null }
    const get = async () =>
      (
        await inDashboard<Record<string, unknown>>(
          own.second,
          'GET',
          '/payout-settings',
          undefined,
          own.businessId,
        )
      ).body
    expect(await get()).toEqual({
      coolingOffHours: 24,
      next: null,
      excessHoldDays: 30,
      nextExcessHold: null,
      ...none,
      nextLimits: none,
    })
    expect((await set(own, { maxPerPayout: '100.50', maxPerDay: '500' })).body).toMatchObject({
      maxPerPayout: '100.5',
      maxPerDay: '500',
      nextLimits: none,
    })
    const waits = await set<{ waitingApproval: { id: string } }>(own, {
      maxPerPayout: null,
      maxPerDay: '400',
    })
    expect(waits).toMatchObject({
      status: 202,
      body: { maxPerPayout: '100.5', maxPerDay: '400', nextLimits: none },
    })
    const decision = `/approvals/${waits.body.waitingApproval.id}/decision`
    expect(
      (await inDashboard(own.first, 'PUT', decision, { decision: 'approved' }, own.businessId)).status,
    ).toBe(403)
    const decided = await inDashboard<{ setting: object }>(
      own.second,
      'PUT',
      decision,
      { decision: 'approved' },
      own.businessId,
    )
    expect(decided.body.setting).toEqual({
      name: 'payout_settings',
      before: { maxPerPayout: '100.5' },
      after: { maxPerPayout: null },
    })
    const asked = (await get()) as { nextLimits: { maxPerPayout: { from: string } } }
    expect(asked).toMatchObject({
      maxPerPayout: '100.5',
      maxPerDay: '400',
      nextLimits: { maxPerPayout: { value: null }, maxPerDay: null },
    })
    const wait = Date.parse(asked.nextLimits.maxPerPayout.from) - Date.now()
    expect(wait > 23.9 * 3_600_000 && wait <= 24 * 3_600_000).toBe(true)
    // Repeating it changes nothing, its moment neither; a lower one ends it.
    expect((await set(own, { maxPerPayout: null })).body).toEqual(asked)
    expect((await create({ amount: '101', destination: { id: own.wallet } }, own.token)).status).toBe(403)
    await stack.db.query(
      "update payout_settings set limits = jsonb_set(limits, '{maxPerPayout,next,from}', to_jsonb(now())) where business_id = $1",
      [own.businessId],
    )
    expect(await get()).toMatchObject({ maxPerPayout: null, nextLimits: none })
    expect((await create({ amount: '101', destination: { id: own.wallet } }, own.token)).status).toBe(201)
    expect((await set(own, { approvalAbove: '0', maxPerPayout: '7' })).body).toMatchObject({
      approvalAbove: '0',
      maxPerPayout: '7',
      nextLimits: none,
    })
  })

  test.each([['-1'], ['1e3'], ['1.0000001'], [''], [5], ['1,000']])('%j is no limit', async (value) => {
    for (const field of ['maxPerPayout', 'maxPerDay', 'approvalAbove'])
      expect(refusal(await set<Refusal>(at, { [field]: value }))).toEqual([
        400,
        'Invalid request body',
        field,
      ])
  })

  test('are set by owners alone', async () => {
    const developer = await addMember(stack, at.businessId, 'developer')
    expect(
      (await inDashboard(developer, 'PUT', '/payout-settings', { coolingOffHours: 24, maxPerDay: '1' }))
        .status,
    ).toBe(403)
  })
}
