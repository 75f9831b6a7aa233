import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { webhookRequest } from '../partners/yellowcard/webhooks.ts'
import { type PayoutMakers, payoutMakers } from '../support/bankPayouts.ts'
import { type Browser, signedIn } from '../support/browser.ts'
import { addPerson, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { createStack, partnerCredentials, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Payout partners as operators see and pause them, and bank payouts through the processes: webhooks of the
// partner make them due.

interface Partner {
  name: string
  isConfigured: boolean
  balances: { currency: string; available: string }[]
  underWay: { payouts: number; amount: string; unknown: number }
  booked: string
  pause: { reason: string; by: string } | null
  topUp: object | null
  comparison: { unmatched: number; drift: string | null } | null
}

let stack: Stack
let operator: Browser
let makers: PayoutMakers
let businessId: string
beforeAll(async () => {
  stack = await createStack({ separate: true, processes: ['api', 'worker'] })
  const { webhooks } = stack.partner
  webhooks.url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/partners/yellowcard/webhooks`
  operator = await signedIn(stack)
  makers = payoutMakers(stack.db)
  businessId = await makers.business(1_000_000_000n)
})
afterAll(() => stack?.close())

const view = async (): Promise<Partner> => {
  const { body } = await operator.ask<{ partners: Partner[] }>('GET', '/operator/payout-partners')
  const [partner] = body.partners
  if (!partner) throw new Error('no partner')
  return partner
}
const rowOf = async (id: string) => {
  const [row] = await stack.db.query<{
    status: string
    reason: string | null
    revision: number
    nextAt: Date | null
  }>('select status, reason, revision, next_at as "nextAt" from outflows where id = $1', [id])
  return row
}
const statusIs = (id: string, wanted: string) =>
  waitFor(`payout ${wanted}`, async () => (await rowOf(id))?.status === wanted)

test("an operator sees the partner's balance, what is under way, and the last comparison", async () => {
  const shown = await waitFor('a comparison', async () => {
    const partner = await view()
    return partner.comparison ? partner : null
  })
  expect(shown).toMatchObject({
    name: 'yellowcard',
    isConfigured: true,
    balances: [{ currency: 'USD', available: '1000000' }],
    underWay: { payouts: 0, amount: '0', unknown: 0 },
    booked: '0',
    pause: null,
    topUp: null,
    // The operator has not booked what the account was opened with.
    comparison: { unmatched: 0, drift: '1000000' },
  })
})

describe('a pause', () => {
  test('holds payouts back until it ends, keeps its first reason, and is shown with its author', async () => {
    const paused = await operator.ask<Partner>('POST', '/operator/payout-partners/yellowcard/pause', {
      reason: 'A settlement is late',
    })
    expect([paused.status, paused.body.pause?.reason]).toEqual([200, 'A settlement is late'])
    await operator.ask('POST', '/operator/payout-partners/yellowcard/pause', { reason: 'Another one' })
    expect((await view()).pause).toMatchObject({
      reason: 'A settlement is late',
      by: expect.stringContaining('@'),
    })
    const { id } = await makers.make(businessId)
    await waitFor('the payout waits', async () => (await rowOf(id))?.reason === 'partner_paused')
    expect(stack.partner.payments.all()).toEqual([])
    const resumed = await operator.ask<Partner>('POST', '/operator/payout-partners/yellowcard/resume')
    expect([resumed.status, resumed.body.pause]).toEqual([200, null])
    await statusIs(id, 'processing')
    await waitFor('the payment', async () => stack.partner.payments.all().length === 1)
    expect((await view()).underWay).toMatchObject({ payouts: 1, amount: '10.2' })
    // The row is checked again after 5 seconds at the earliest; the webhook of the end is faster.
    stack.partner.move(20_000)
    await statusIs(id, 'completed')
    const done = await view()
    expect(done.underWay.payouts).toBe(0)
    expect(Number(done.booked)).toBeLessThan(0)
  })

  test('bad input and other businesses change nothing', async () => {
    const asked = async (path: string, body?: object) =>
      (await operator.ask('POST', `/operator/payout-partners/${path}`, body)).status
    expect(await asked('yellowcard/pause', {})).toBe(400)
    expect(await asked('yellowcard/pause', { reason: '' })).toBe(400)
    expect(await asked('yellowcard/pause', { reason: 'x'.repeat(501) })).toBe(400)
    expect(await asked('yellowcard/pause', { reason: 'x', more: 1 })).toBe(400)
    expect(await asked('nobank/pause', { reason: 'x' })).toBe(404)
    expect(await asked('nobank/resume')).toBe(404)
    const { headers } = await sessionOf(stack, await addPerson(stack))
    for (const verb of ['pause', 'resume'])
      expect(
        (
          await dashboard(
            stack,
            'POST',
            `/operator/payout-partners/yellowcard/${verb}`,
            { reason: 'x' },
            headers,
          )
        ).status,
      ).toBe(403)
    expect((await view()).pause).toBeNull()
  })
})

test('a genuine webhook makes the payout due, in any order and twice; a forged one is 401 and changes nothing', async () => {
  await stack.stop('worker')
  const { id } = await makers.make(businessId)
  const { db } = stack
  await db.query(
    "update outflows set status = 'processing', submitted_at = now(), next_at = now() + interval '1 hour', revision = 2 where id = $1",
    [id],
  )
  const { webhooks } = stack.partner
  const event = {
    id: 'x',
    sequenceId: id,
    status: 'complete',
    apiKey: partnerCredentials.apiKey,
    event: 'PAYMENT.COMPLETE',
    executedAt: new Date().toISOString(),
  }
  const payment = stack.partner.payments.all()[0]
  if (!payment) throw new Error('no payment')
  // The partner's payment of another row, so that the fetched state names this one.
  const real = payment.sequenceId
  payment.sequenceId = id
  const send = async (secretKey: string) =>
    (
      await fetch(webhooks.url ?? '', {
        method: 'POST',
        ...webhookRequest({ ...event, id: payment.id }, { secretKey }),
      })
    ).status
  const before = await rowOf(id)
  expect([await send('another-secret'), await rowOf(id)]).toEqual([401, before])
  expect([await send(partnerCredentials.secretKey), await send(partnerCredentials.secretKey)]).toEqual([
    200, 200,
  ])
  const after = await rowOf(id)
  expect([after?.status, after?.revision, (after?.nextAt?.getTime() ?? 0) <= Date.now()]).toEqual([
    'processing',
    2,
    true,
  ])
  payment.sequenceId = real
})
