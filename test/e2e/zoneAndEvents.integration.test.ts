import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { type EventType, recordEvents } from '../../src/events/recordEvents.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { setCallbackHosts } from '../../src/webhooks/callbacks.ts'
import { createEndpoint } from '../../src/webhooks/createEndpoint.ts'
import { startChromium } from '../support/chromium.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { eventOf, webhookContext } from '../support/deliveries.ts'
import { makeTaking } from '../support/madeTakings.ts'
import { createStack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { examine } from './browser/visits.ts'
import {
  dialog,
  go,
  press,
  settled,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

// A business in Lagos, seen from a browser on the other side of the earth; and its events.

const timeZone = 'Africa/Lagos'
let world: World
let owner: Person
let shop: string
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum'], processes: ['api'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  owner = await addPerson(stack)
  shop = await addBusiness(stack, owner)
  await stack.db.query('update businesses set time_zone = $2 where id = $1', [shop, timeZone])
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function open(path: string, as: Person = owner): Promise<Page> {
  const visitor = await visit(world, { as, timezoneId: 'Pacific/Auckland', bypassCSP: true })
  visitors.push(visitor)
  await go(visitor.page, `/dashboard/b/${shop}/${path}`)
  return visitor.page
}

/** The query of the request that this causes. */
async function requested(page: Page, list: string, act: () => Promise<unknown>): Promise<URLSearchParams> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).pathname.endsWith(`/${shop}/${list}`)),
    act(),
  ])
  return new URL(request.url()).searchParams
}

describe('times of a business in Lagos, in a browser in Auckland', () => {
  test.each([
    ['payments', 'pos/sessions', true],
    ['transfers', 'crypto/transfers', true],
    ['events', 'event-log', true],
    ['payouts', 'payouts', false],
    ['collections', 'fiat-collections', false],
    ['entries', 'ledger/entries', false],
    ['webhooks', 'webhooks', false],
    ['audit', 'audit', false],
  ] as const)('%s: from and to are by its clocks, and say so', async (path, list, byChip) => {
    const page = await open(path)
    if (byChip) await page.getByLabel('Time', { exact: true }).selectOption('between')
    const [from, to] = [page.getByLabel(/rom \(Africa\/Lagos\)/), page.getByLabel('To (Africa/Lagos)')]
    await from.fill('2026-03-01T09:30')
    await to.fill('2026-03-02T00:00')
    const query = await requested(page, list, () => press(page, 'Search'))
    expect([query.get('since'), query.get('until')]).toEqual([
      '2026-03-01T08:30:00.000Z',
      '2026-03-01T23:00:00.000Z',
    ])
    await settled(page)
    expect(await from.inputValue()).toBe('2026-03-01T09:30')
  })

  test.each(['payments', 'transfers', 'events'])(
    '%s: a period is of its days, and names the zone',
    async (path) => {
      const page = await open(path)
      const list =
        { payments: 'pos/sessions', transfers: 'crypto/transfers', events: 'event-log' }[path] ?? ''
      const query = await requested(page, list, () =>
        page.getByLabel('Time', { exact: true }).selectOption('today'),
      )
      const start = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' })
      expect(start.format(new Date(query.get('since') ?? ''))).toBe('00:00:00')
      await page.getByText('Africa/Lagos', { exact: true }).waitFor()
    },
  )

  test('balances are as of the end of its day', async () => {
    const page = await open('balances')
    const query = await requested(page, 'balances', () =>
      page.getByLabel('As of (Africa/Lagos)').fill('2026-03-01'),
    )
    expect(query.get('at')).toBe('2026-03-01T22:59:59.999Z')
    await page.getByText('As of 1 Mar 2026, 23:59').waitFor()
  })

  test('times are shown by its clocks, which they name', async () => {
    await makeTaking(world.stack.db, shop, {
      at: new Date('2026-03-01T23:30:00Z'),
      amount: 24_750.5,
      local: { amount: '38362500', currency: 'NGN' },
      reference: 'INV-7',
    })
    const page = await open('payments')
    const time = page.getByRole('row', { name: /INV-7/ }).locator('time')
    // It was made a minute before.
    expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
      '2 Mar 2026, 00:29',
      timeZone,
    ])
    expect(await page.getByRole('row', { name: /INV-7/ }).textContent()).toContain('24,750.5 USDC')
  })
})

describe('the events of a business', () => {
  const happened = (...types: EventType[]) =>
    world.stack.db.tx(async (tx) =>
      recordEvents(
        tx,
        shop,
        types.map((type, index) => eventOf(type, {}, { reference: `Order ${index + 1}` })),
      ),
    )
  const context = () => ({ ...webhookContext(world.stack.db), appKey: new Secret(appKey) })
  const events = (page: Page) => page.getByRole('table', { name: 'Events' })

  test('are listed with what they are about and the state of their deliveries; filters are chips', async () => {
    const empty = await open('events')
    await empty.getByText('Nothing happened yet.').waitFor()
    await createEndpoint(context(), shop, { url: 'https://shop.example/hooks' })
    await happened('session.created', 'session.paid', 'payout.created')
    await world.stack.db.query(
      "update webhook_deliveries set status = 'failed', attempts_count = 10 where business_id = $1 and type = 'session.paid'",
      [shop],
    )
    await world.stack.db.query(
      "delete from webhook_queue q using webhook_deliveries d where d.id = q.delivery_id and d.business_id = $1 and d.status = 'failed'",
      [shop],
    )
    await press(empty, 'Refresh')
    const paid = events(empty).getByRole('row', { name: /session\.paid/ })
    await paid.getByText('Failed').waitFor()
    expect(await paid.textContent()).toContain('Payment')
    expect(await paid.getByRole('link', { name: 'Order 2' }).getAttribute('href')).toMatch(/\/payments\//)
    expect(await events(empty).getByRole('row').count()).toBe(4)

    await empty.getByLabel('Delivery', { exact: true }).selectOption('failed')
    await empty.waitForURL(/status=failed/)
    await settled(empty)
    expect(await events(empty).getByRole('row').count()).toBe(2)
    await press(empty, 'Clear')
    await empty.getByLabel('Type', { exact: true }).selectOption('payout.*')
    await events(empty)
      .getByRole('row', { name: /payout\.created/ })
      .waitFor()
    await settled(empty)
    expect(await events(empty).getByRole('row').count()).toBe(2)
  })

  test('one shows its body and its deliveries, and is sent again', async () => {
    const page = await open('events?type=session.paid')
    await events(page).getByRole('link', { name: 'session.paid' }).click()
    await page.getByRole('heading', { level: 1, name: 'session.paid' }).waitFor()
    await settled(page)
    expect(await page.locator('pre').textContent()).toContain('"reference": "Order 2"')
    const row = page.getByRole('row', { name: /shop\.example/ })
    await row.getByText('Failed').waitFor()
    await press(row, 'Send again to https://shop.example/hooks')
    await press(await dialog(page, 'Send this event again?'), 'Send again')
    await row.getByText('Waiting').waitFor()
    expect(await examine(page, 'event')).toEqual([])
    await page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: 'Events' }).click()
    await events(page).waitFor()
    expect(await examine(page, 'events')).toEqual([])
  })

  test('are read by a viewer, who is offered no replay', async () => {
    const page = await open('events?type=session.paid', await addMember(world.stack, shop, 'viewer'))
    await events(page).getByRole('link', { name: 'session.paid' }).click()
    await page.getByRole('row', { name: /shop\.example/ }).waitFor()
    expect(await page.getByRole('button', { name: /Send again/ }).count()).toBe(0)
  })

  test('a callback has its URL, is found by its host, and is sent again', async () => {
    const url = 'https://orders.example/7'
    await setCallbackHosts(context(), shop, ['orders.example'], async () => undefined)
    await world.stack.db.tx(async (tx) =>
      recordEvents(tx, shop, [
        { ...eventOf('session.expired'), callbackUrl: url },
        eventOf('delivery.failed', {}, { endpoint: { id: newId(), callback: true } }),
      ]),
    )
    const page = await open('webhooks')
    await page.getByLabel('Endpoint', { exact: true }).selectOption({ label: 'Callbacks to orders.example' })
    await press(page, 'Search')
    await page.waitForURL(/endpointId=/)
    await settled(page)
    const table = page.getByRole('table', { name: 'Deliveries' })
    expect(await table.getByRole('row').count()).toBe(2)
    expect(await table.textContent()).toContain(url)
    await table.getByRole('link', { name: 'session.expired' }).click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await settled(page)
    expect(await examine(page, 'delivery of a callback')).toEqual([])
    await go(page, `/dashboard/b/${shop}/events`)
    const failed = events(page).getByRole('row', { name: /delivery\.failed/ })
    await failed.getByText('Callback host').waitFor()
    expect(await failed.getByRole('link').last().getAttribute('href')).toMatch(/\/settings\/webhooks$/)
    await events(page).getByRole('link', { name: 'session.expired' }).click()
    const row = page.getByRole('row', { name: /orders\.example/ })
    await press(row, `Send again to ${url}`)
    await press(await dialog(page, 'Send this event again?'), 'Send again')
    await waitForStatus(page, 'It is sent again.')
    await row.getByText('Waiting').waitFor()

    await setCallbackHosts(context(), shop, [], async () => undefined)
    await press(page, 'Refresh')
    await row.getByText('Failed').waitFor()
    await row.getByRole('button', { name: /Send again/ }).waitFor({ state: 'detached' })
    await row.getByRole('link').click()
    await page.getByText('It cannot be sent again').waitFor()
    expect(await page.getByRole('button', { name: /Send again/ }).count()).toBe(0)
    expect(await examine(page, 'delivery of a removed host')).toEqual([])
  })
})
