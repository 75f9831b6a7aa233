import { beforeAll, expect, test } from '@jest/globals'
import { addMember, type Headers, type Person, tokenOf } from '../../support/dashboardSession.ts'
import {
  ask,
  balances,
  create,
  eventsOf,
  inDashboard,
  million,
  openBusiness,
  type Paying,
  type Payout,
  type Refusal,
  refusal,
  someAddress,
  stack,
} from './calls.ts'

export function approval(): void {
  let own: Paying
  const approve = <T = Payout>(id: string, headers: Headers, revision = 1) =>
    ask<T>('POST', `/payouts/${id}/approve`, { revision }, headers)
  const large = async (headers: Headers = own.token) =>
    (await create({ amount: '50.000001', destination: { id: own.wallet } }, headers)).body
  const decide = (person: Person, id: string, body: object) =>
    inDashboard<Refusal & { state: string; payout: Payout }>(
      person,
      'PUT',
      `/approvals/${id}/decision`,
      body,
      own.businessId,
    )

  beforeAll(async () => {
    own = await openBusiness(10_000n * million)
    const set = { coolingOffHours: 24, approvalAbove: '50' }
    expect((await inDashboard(own.first, 'PUT', '/payout-settings', set, own.businessId)).status).toBe(200)
  })

  test('is needed above the amount that the business set, and not at it', async () => {
    const small = await create({ amount: '49', destination: { id: own.wallet } }, own.token)
    expect([small.body.status, small.body.approval]).toEqual(['pending', null])
    // Those of a day without an approval count together.
    const more = await create({ amount: '1.000001', destination: { id: own.wallet } }, own.token)
    expect(more.body.approval).toMatchObject({ state: 'waiting', needs: 'owner' })
    await ask('POST', `/payouts/${more.body.id}/cancel`, undefined, own.token)
    const payout = await large()
    expect(payout).toMatchObject({ status: 'awaiting_approval', approval: { state: 'waiting' } })
    const { body } = await inDashboard<{ approvals: { subject: string; payout: Payout; own: boolean }[] }>(
      own.second,
      'GET',
      '/approvals?waiting=true',
      undefined,
      own.businessId,
    )
    expect(body.approvals).toMatchObject([
      { subject: 'payout', own: false, payout: { id: payout.id, revision: 1 } },
    ])
  })

  test('is by another owner, at the revision that was seen, and once', async () => {
    const payout = await large()
    expect(refusal(await approve<Refusal>(payout.id, own.token))).toEqual([403, 'own_request'])
    expect(refusal(await approve<Refusal>(payout.id, own.other, 2))).toEqual([409, 'revision_outdated'])
    expect(refusal(await approve<Refusal>(payout.id, own.key))).toEqual([403, 'insufficient_permission'])
    expect(refusal(await approve<Refusal>(payout.id, await own.keyWith(['payouts:approve'])))).toEqual([
      403,
      'member_required',
    ])
    expect((await ask('GET', `/payouts/${payout.id}`, undefined, own.token)).body).toEqual(payout)
    const answers = await Promise.all(Array.from({ length: 4 }, () => approve(payout.id, own.other)))
    expect(
      answers.map(({ status, body }) => [status, body.status, body.revision, body.approval?.state]),
    ).toEqual(Array(4).fill([200, 'pending', 2, 'approved']))
    const third = await tokenOf(stack, await addMember(stack, own.businessId, 'owner'))
    expect(refusal(await approve<Refusal>(payout.id, third, 2))).toEqual([409, 'approval_decided'])
    const [row] = await stack.db.query<{ proof: Buffer | null }>(
      'select proof from approvals where subject_id = $1',
      [payout.id],
    )
    expect(row?.proof).not.toBeNull()
  })

  test('of what a key requested: by an owner who did not make the key', async () => {
    const payout = await large(await own.keyWith(null, own.first))
    expect(refusal(await approve<Refusal>(payout.id, own.token))).toEqual([403, 'own_request'])
    expect((await approve(payout.id, own.other)).body.status).toBe('pending')
  })

  test('is refused in the list of approvals: it fails, and its money is available again', async () => {
    const [available, held] = await balances(own.businessId)
    const payout = await large()
    const id = payout.approval?.id ?? ''
    expect(refusal(await decide(own.second, id, { decision: 'approved' }))).toEqual([
      400,
      'Invalid request body',
      'revision',
    ])
    expect(refusal(await decide(own.second, id, { decision: 'approved', revision: 3 }))).toEqual([
      409,
      'revision_outdated',
    ])
    const refused = await decide(own.second, id, { decision: 'refused' })
    expect([refused.status, refused.body]).toMatchObject([
      200,
      { state: 'refused', payout: { status: 'failed', reason: 'approval_refused' } },
    ])
    expect(await balances(own.businessId)).toEqual([available, held])
    expect(refusal(await approve<Refusal>(payout.id, own.other, 2))).toEqual([409, 'approval_decided'])
    expect((await eventsOf(own.businessId, payout.id)).map(({ type }) => type)).toEqual([
      'payout.created',
      'payout.failed',
    ])
    const approved = await large()
    const done = await decide(own.second, approved.approval?.id ?? '', { decision: 'approved', revision: 1 })
    expect([done.status, done.body]).toMatchObject([
      200,
      { state: 'approved', payout: { status: 'pending' } },
    ])
  })

  test('of a payout that was cancelled, marked as paid, or needs no approval: 409', async () => {
    const [cancelled, paid] = [await large(), await large()]
    await ask('POST', `/payouts/${cancelled.id}/cancel`, undefined, own.token)
    await ask('POST', `/payouts/${paid.id}/mark-paid`, { revision: 1, proof: 'Receipt' }, own.token)
    const { body: small } = await create({ amount: '1', destination: { id: own.wallet } }, own.token)
    for (const { id } of [cancelled, paid, small])
      expect(refusal(await approve<Refusal>(id, own.other, 2))).toEqual([409, 'payout_not_open'])
    expect((await ask('GET', `/payouts/${cancelled.id}`, undefined, own.token)).body.approval?.state).toBe(
      'expired',
    )
  })

  test('a new destination needs the approval of a second owner, and shows it', async () => {
    const wanted = { chain: 'ethereum', address: someAddress() }
    const saved = await ask<{ id: string; status: string }>('POST', '/payout-destinations', wanted, own.token)
    expect([saved.status, saved.body.status]).toEqual([201, 'awaiting_approval'])
    const { body } = await inDashboard<{
      approvals: { id: string; subject: string; destination?: { id: string } }[]
    }>(own.second, 'GET', '/approvals?waiting=true', undefined, own.businessId)
    const waiting = body.approvals.find(({ destination }) => destination?.id === saved.body.id)
    expect(waiting?.subject).toBe('destination')
    expect(refusal(await decide(own.first, waiting?.id ?? '', { decision: 'approved' }))).toEqual([
      403,
      'own_request',
    ])
    expect((await decide(own.second, waiting?.id ?? '', { decision: 'approved' })).status).toBe(200)
    const now = await ask<{ status: string }>(
      'GET',
      `/payout-destinations/${saved.body.id}`,
      undefined,
      own.token,
    )
    expect(now.body.status).toBe('cooling_off')
  })

  test('a new owner needs the approval of a second one, too: one owner could approve with two accounts', async () => {
    const { id } = await addMember(stack, own.businessId, 'developer')
    expect(
      (await inDashboard(own.first, 'PATCH', `/members/${id}`, { role: 'owner' }, own.businessId)).status,
    ).toBe(202)
  })
}
