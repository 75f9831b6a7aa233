import { beforeAll, expect, test } from '@jest/globals'
import { newId } from '../../../src/platform/ids.ts'
import type { Headers } from '../../support/dashboardSession.ts'
import { makeDestination } from '../../support/madeDestination.ts'
import { giveBalance } from '../../support/madePayout.ts'
import {
  ask,
  balances,
  gtBank,
  inDashboard,
  million,
  openBusiness,
  type Paying,
  type Payout,
  type Refusal,
  refusal,
  someAddress,
  stack,
  stored,
  usdc,
} from './calls.ts'

export interface Batch {
  id: string
  status: string
  revision: number
  payouts: number
  destinations: number
  counts: Record<string, number>
  totals: {
    taken: { chain: string; token: string; amount: string; payouts: number }[]
    received: { currency: string; amount: string; fee: string; payouts: number }[]
  }
  approval: { id: string; state: string; needs: string | null } | null
}

export function batches(): void {
  let own: Paying
  const to = (id: string, amount: string, more: object = {}) => ({
    amount,
    source: usdc,
    destination: { id },
    ...more,
  })
  const pay = <T = Batch>(payouts: object[], headers: Headers = own.token, more: object = {}) =>
    ask<T>('POST', '/payout-batches', { payouts, ...more }, headers)
  const payoutsOf = async (id: string, query = '') =>
    (
      await ask<{ payouts: Payout[]; total: number }>(
        'GET',
        `/payouts?batchId=${id}&limit=100${query}`,
        undefined,
        own.token,
      )
    ).body
  const codesOf = ({ body }: { body: Refusal }) =>
    ((body.fields ?? []) as { field: string; code?: string }[]).map(({ field, code }) => `${field} ${code}`)

  beforeAll(async () => {
    own = await openBusiness(10_000n * million)
  })

  test('holds the total in one step, and each payout is one of its own that names the batch', async () => {
    const [available, held] = await balances(own.businessId)
    const references = [`a-${newId()}`, `b-${newId()}`]
    const { status, body } = await pay(
      [
        to(own.wallet, '10.5', { reference: references[0] }),
        to(own.wallet, '4.25', { reference: references[1] }),
      ],
      own.token,
      { reference: 'wages' },
    )
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'processing',
        revision: 2,
        reference: 'wages',
        payouts: 2,
        destinations: 1,
        counts: expect.objectContaining({ pending: 2, completed: 0 }),
        totals: {
          taken: [{ chain: 'ethereum', token: 'USDC', amount: '14.75', payouts: 2 }],
          received: [{ currency: 'USDC', amount: '14.6025', fee: '0.1475', payouts: 2 }],
        },
        createdBy: own.first.email,
        approval: null,
        createdAt: expect.any(String),
      },
    ])
    expect(await balances(own.businessId)).toEqual([available - 14_750_000n, held + 14_750_000n])
    expect((await ask('GET', `/payout-batches/${body.id}`, undefined, own.token)).body).toEqual(body)
    const list = await ask<{ batches: Batch[] }>(
      'GET',
      '/payout-batches?reference=wages',
      undefined,
      own.token,
    )
    expect(list.body.batches).toEqual([body])
    expect(
      (await inDashboard(own.second, 'GET', `/payout-batches/${body.id}`, undefined, own.businessId)).body,
    ).toEqual(body)
    const { payouts } = await payoutsOf(body.id)
    expect(payouts.map(({ batchId, reference }) => [batchId, reference]).toSorted()).toEqual(
      references.map((reference) => [body.id, reference]).toSorted(),
    )
    const events = await stack.db.query<{ batch: string }>(
      "select data->>'batchId' as batch from events where business_id = $1 and type = 'payout.created' and data->>'batchId' is not null",
      [own.businessId],
    )
    expect(events).toEqual([{ batch: body.id }, { batch: body.id }])
  })

  test('is refused whole: every mistake of every entry is named, and nothing has changed', async () => {
    const used = `used-${newId()}`
    expect((await pay([to(own.wallet, '1', { reference: used })])).status).toBe(201)
    const archived = await makeDestination(stack.db, own.businessId, { address: someAddress() })
    await stack.db.query('update payout_destinations set archived_at = now() where id = $1', [archived])
    const before = await stored()
    const twice = `twice-${newId()}`
    const answer = await pay<Refusal>([
      to(own.wallet, '1', { reference: twice }),
      to(own.wallet, '0.0000001'),
      to(newId(), '1'),
      to(archived, '1'),
      to(own.wallet, '1', { reference: twice }),
      to(own.wallet, '1', { reference: used }),
      {
        amount: '0',
        source: { chain: 'ethereum', token: 'USDC' },
        destination: { chain: 'ethereum', address: 'x' },
      },
      to(own.wallet, '100000'),
      {
        amount: '1',
        source: { chain: 'ethereum', token: 'USDC' },
        destination: { chain: 'ethereum', address: someAddress() },
      },
    ])
    expect([answer.status, ...codesOf(answer)]).toEqual([
      400,
      'payouts insufficient_funds',
      'payouts.1.amount too_many_decimals',
      'payouts.2.destination.id unknown_id',
      'payouts.3.destination.id destination_archived',
      'payouts.4.reference duplicate',
      'payouts.5.reference duplicate',
      'payouts.6.amount too_small',
      'payouts.6.destination.address invalid_address',
    ])
    expect(await stored()).toBe(before)
    const check = await ask<Refusal>(
      'POST',
      '/payout-batch-checks',
      { payouts: [to(own.wallet, '100000')] },
      own.token,
    )
    expect([check.status, ...codesOf(check)]).toEqual([400, 'payouts insufficient_funds'])
  })

  test('mistakes of the contract are all named too: fifty, and the number of the others', async () => {
    const wrong = { ...to(own.wallet, 'ten'), colour: 'red' }
    const { status, body } = await pay<Refusal>(Array.from({ length: 400 }, () => wrong))
    expect([status, body.fields?.length]).toEqual([400, 50])
    expect(body.message).toMatch(/; and 750 more$/)
    expect(codesOf({ body }).slice(0, 2).toSorted()).toEqual([
      'payouts.0.amount invalid_amount',
      'payouts.0.colour unknown_field',
    ])
    expect(refusal(await pay<Refusal>([]))).toEqual([400, 'Invalid request body', 'payouts'])
    const many = Array.from({ length: 1001 }, () => to(own.wallet, '1'))
    expect(refusal(await pay<Refusal>(many))).toEqual([400, 'Invalid request body', 'payouts'])
  })

  test('of a thousand is made within five seconds, and cancelled in one step', async () => {
    await giveBalance(stack.db, own.businessId, usdc, 10_000n * million)
    const wallets = await Promise.all(
      Array.from({ length: 20 }, () => makeDestination(stack.db, own.businessId, { address: someAddress() })),
    )
    const entries = Array.from({ length: 1000 }, (_, at) =>
      to(wallets[at % 20] ?? '', `1.${String(at).padStart(3, '0')}`, { reference: `${newId()}` }),
    )
    const started = performance.now()
    const { status, body } = await pay(entries)
    const took = performance.now() - started
    expect([status, body.payouts, body.counts.pending]).toEqual([201, 1000, 1000])
    expect(body.totals.taken).toEqual([{ chain: 'ethereum', token: 'USDC', amount: '1499.5', payouts: 1000 }])
    process.stderr.write(`a batch of 1,000 took ${Math.round(took)} ms\n`)
    expect(took).toBeLessThan(5000)
    expect((await payoutsOf(body.id)).total).toBe(1000)
    const cancelled = await ask<Batch>('POST', `/payout-batches/${body.id}/cancel`, {}, own.token)
    expect([cancelled.status, cancelled.body.status, cancelled.body.counts.cancelled]).toEqual([
      200,
      'cancelled',
      1000,
    ])
    const again = await ask<Batch>('POST', `/payout-batches/${body.id}/cancel`, {}, own.token)
    expect(again.body).toEqual(cancelled.body)
  }, 60_000)

  test('one approval by an independent owner decides it, with the destinations that it saves', async () => {
    const two = await openBusiness(1000n * million)
    const set = { coolingOffHours: 24, approvalAbove: '50' }
    expect((await inDashboard(two.first, 'PUT', '/payout-settings', set, two.businessId)).status).toBe(200)
    const fresh = { amount: '1', source: usdc, destination: { chain: 'ethereum', address: someAddress() } }
    // Each is below the amount; their total is not.
    const { body: batch } = await pay([to(two.wallet, '30'), to(two.wallet, '30'), fresh], two.token)
    expect(batch).toMatchObject({
      status: 'awaiting_approval',
      counts: { awaiting_approval: 3 },
      approval: { state: 'waiting', needs: 'owner' },
    })
    expect(await balances(two.businessId)).toEqual([939n * million, 61n * million])
    const listed = await inDashboard<{ approvals: { id: string; subject: string; batch?: Batch }[] }>(
      two.second,
      'GET',
      '/approvals?waiting=true',
      undefined,
      two.businessId,
    )
    expect(listed.body.approvals).toMatchObject([
      { id: batch.approval?.id, subject: 'payout', batch: { id: batch.id } },
    ])
    const [member] = await stack.db.query<{ id: string; subject: string }>(
      "select id from approvals where batch_id = $1 and subject_id <> $1 and subject = 'payout' limit 1",
      [batch.id],
    )
    const decide = (person: typeof two.first, id: string, more: object) =>
      inDashboard<Refusal>(person, 'PUT', `/approvals/${id}/decision`, more, two.businessId)
    const alone = await decide(two.second, member?.id ?? '', { decision: 'approved', revision: 1 })
    expect([alone.status, alone.body.error]).toEqual([409, 'approval_of_batch'])
    const approve = (headers: Headers, revision: number) =>
      ask<Batch & Refusal>('POST', `/payout-batches/${batch.id}/approve`, { revision }, headers)
    expect((await approve(two.token, 1)).body.error).toBe('own_request')
    // The revision of one payout, and a payout alone, decide nothing.
    expect((await approve(two.other, 1)).body.error).toBe('revision_outdated')
    const members = await ask<{ payouts: Payout[] }>(
      'GET',
      `/payouts?batchId=${batch.id}`,
      undefined,
      two.token,
    )
    const [one] = members.body.payouts
    const single = await ask<Refusal>('POST', `/payouts/${one?.id}/approve`, { revision: 1 }, two.other)
    expect([single.status, single.body.error]).toEqual([409, 'approval_of_batch'])
    const done = await approve(two.other, 3)
    expect([done.status, done.body.status, done.body.counts.pending]).toEqual([200, 'processing', 3])
    const rows = await stack.db.query<{ decision: string; n: number }>(
      'select decision, count(*)::int as n from approvals where batch_id = $1 and proof is not null group by 1',
      [batch.id],
    )
    expect(rows).toEqual([{ decision: 'approved', n: 5 }])
  })

  test('a batch that an owner refuses gives all of its money back, once', async () => {
    const two = await openBusiness(1000n * million)
    await inDashboard(
      two.first,
      'PUT',
      '/payout-settings',
      { coolingOffHours: 24, approvalAbove: '50' },
      two.businessId,
    )
    const fresh = { amount: '1', source: usdc, destination: { chain: 'ethereum', address: someAddress() } }
    const { body: batch } = await pay([to(two.wallet, '60'), to(two.wallet, '5'), fresh], two.token)
    const one = (
      await ask<{ payouts: Payout[] }>('GET', `/payouts?batchId=${batch.id}`, undefined, two.token)
    ).body.payouts.find(({ amount }) => amount === '5')
    expect((await ask('POST', `/payouts/${one?.id}/cancel`, {}, two.token)).status).toBe(200)
    const refused = await inDashboard(
      two.second,
      'PUT',
      `/approvals/${batch.approval?.id}/decision`,
      { decision: 'refused' },
      two.businessId,
    )
    expect(refused.status).toBe(200)
    const after = await ask<Batch>('GET', `/payout-batches/${batch.id}`, undefined, two.token)
    expect(after.body).toMatchObject({ status: 'failed', counts: { failed: 2, cancelled: 1 } })
    expect(await balances(two.businessId)).toEqual([1000n * million, 0n])
    const saved = await stack.db.query<{ n: number }>(
      'select count(*)::int as n from payout_destinations where business_id = $1 and archived_at is null and needs_approval',
      [two.businessId],
    )
    expect(saved).toEqual([{ n: 0 }])
  })

  test('the limits see the total once: of a payout, of a day, and of the key', async () => {
    const limited = await openBusiness(1000n * million)
    const set = { coolingOffHours: 24, maxPerPayout: '40', maxPerDay: '100' }
    await inDashboard(limited.first, 'PUT', '/payout-settings', set, limited.businessId)
    const answer = await pay<Refusal>(
      [to(limited.wallet, '41'), to(limited.wallet, '30'), to(limited.wallet, '30')],
      limited.token,
    )
    expect(codesOf(answer)).toEqual(['payouts limit_exceeded', 'payouts.0.amount limit_exceeded'])
    const exact = Array.from({ length: 4 }, () => to(limited.wallet, '25'))
    expect((await pay(exact, limited.token)).status).toBe(201)
    expect(codesOf(await pay<Refusal>([to(limited.wallet, '0.1')], limited.token))).toEqual([
      'payouts limit_exceeded',
    ])
  })

  test('to banks is priced as one payout is, and a check shows the same without storing anything', async () => {
    const profile = {
      businessName: 'Ada Stores Ltd',
      registrationNumber: 'RC1',
      country: 'NG',
      address: '1 Broad St',
    }
    await inDashboard(
      own.first,
      'PUT',
      '/legal-profile',
      { ...profile, phone: '+2348012345678', email: 'a@example.com' },
      own.businessId,
    )
    const bank = { networkId: gtBank, accountNumber: '0123456789', accountName: 'Ada Stores Ltd' }
    const entry = (amount: string) => ({ amount, source: usdc, destination: bank })
    const before = await stored()
    const check = await ask<{ newDestinations: number; totals: Batch['totals'] }>(
      'POST',
      '/payout-batch-checks',
      { payouts: [entry('100'), entry('10')] },
      own.token,
    )
    expect([check.status, check.body.newDestinations]).toEqual([200, 1])
    expect(await stored()).toBe(before)
    const { status, body } = await pay([entry('100'), entry('10')])
    expect([status, body.totals]).toEqual([201, check.body.totals])
    expect(body.destinations).toBe(1)
    const one = await ask('POST', '/payouts', entry('100'), own.token)
    const other = await ask('POST', '/payouts', entry('10'), own.token)
    const [received] = body.totals.received
    const kobo = (amount: unknown) => {
      const [whole = '', fraction = ''] = String(amount).split('.')
      return BigInt(whole + fraction.padEnd(2, '0'))
    }
    expect(received?.currency).toBe('NGN')
    expect(kobo(received?.amount)).toBe(kobo(one.body.receiveAmount) + kobo(other.body.receiveAmount))
  })

  test('the same Idempotency-Key makes it once, and a stranger never sees it', async () => {
    const headers = { ...own.token, 'idempotency-key': newId() }
    const [available] = await balances(own.businessId)
    const made = await pay([to(own.wallet, '1'), to(own.wallet, '2')], headers)
    expect((await pay([to(own.wallet, '1'), to(own.wallet, '2')], headers)).body).toEqual(made.body)
    expect((await balances(own.businessId))[0]).toBe(available - 3n * million)
    const stranger = await openBusiness()
    for (const [method, path] of [
      ['GET', `/payout-batches/${made.body.id}`],
      ['POST', `/payout-batches/${made.body.id}/cancel`],
    ] as const)
      expect((await ask(method, path, method === 'POST' ? {} : undefined, stranger.token)).status).toBe(404)
  })
}
