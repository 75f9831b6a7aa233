import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { withPermissions } from '../support/apiKeyHeaders.ts'
import { startChromium } from '../support/chromium.ts'
import { addMember, dashboard, type Person, sessionOf } from '../support/dashboardSession.ts'
import { createStack } from '../support/stack.ts'
import { examine } from './browser/visits.ts'
import {
  dialog,
  go,
  press,
  settled,
  type VisitOptions,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

// Limits of a session, callback hosts and filters of endpoints, in a real browser.

let world: World
let owner: Person
let page: Page
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum', 'solana'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  owner = await addMember(stack, stack.businessId, 'owner')
  page = await newPage({ as: owner, bypassCSP: true })
}, 600_000)
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function newPage(options: VisitOptions): Promise<Page> {
  const visitor = await visit(world, options)
  visitors.push(visitor)
  return visitor.page
}
const at = (path: string) => `/dashboard/b/${world.stack.businessId}${path}`
const read = async <T>(path: string) => {
  const { headers } = await sessionOf(world.stack, owner)
  const answer = await dashboard<T>(
    world.stack,
    'GET',
    `/businesses/${world.stack.businessId}${path}`,
    undefined,
    headers,
  )
  return answer.body
}

test('an owner sets limits by token and for one network; a mistake is shown at its field and changes nothing', async () => {
  await go(page, at('/settings/payments'))
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('Smallest, USDC').fill('20')
  await field('Largest, USDC').fill('10')
  await press(page, 'Save limits')
  await page.getByText('This must not be less than min.').waitFor()
  await field('Largest, USDC').fill('1000')
  await page.getByLabel('Another limit on one network').selectOption('ethereum USDC')
  await field('Smallest, USDC on Ethereum').fill('50')
  await press(page, 'Save limits')
  await waitForStatus(page, 'The limits are saved.')
  expect(await read('/settings/amount-limits')).toEqual({
    limits: [
      { token: 'USDC', chain: null, min: '20', max: '1000' },
      { token: 'USDC', chain: 'ethereum', min: '50', max: null },
    ],
  })
  await go(page, at('/settings/payments'))
  await page.getByRole('heading', { name: 'Smallest and largest payment' }).scrollIntoViewIfNeeded()
  expect(await examine(page, 'limits of a session')).toEqual([])
})

test('a customer of an open amount sees the bounds of the chosen network, and an amount beyond them is explained', async () => {
  const limits = [
    { token: 'USDC', min: '20', max: '1000' },
    { token: 'USDC', chain: 'ethereum', min: '50' },
  ]
  const key = await withPermissions(world.stack, 'payments:manage')
  await world.stack.api('PUT', '/settings/amount-limits', { limits }, key)
  const { body } = await world.stack.api<{ url: string }>('POST', '/payment-links', { openAmount: {} })
  const customer = await newPage({ bypassCSP: true })
  await go(customer, new URL(body.url).pathname)
  await customer.getByRole('radio', { name: 'USDC', exact: true }).check()
  await customer.getByRole('radio', { name: 'Solana', exact: true }).check()
  await customer.getByText(/^From .?20 USDC.? to .?1000 USDC/).waitFor()
  await customer.getByRole('radio', { name: 'Ethereum', exact: true }).check()
  await customer.getByText(/^.?50 USDC.? or more/).waitFor()
  await customer.locator('input[name=amount]').fill('49.99')
  await press(customer, 'Continue')
  await customer.getByText(/^The least amount is .?50 USDC/).waitFor()
  expect(await examine(customer, 'payment link with limits')).toEqual([])
})

test('a developer lists callback hosts, sees the secret once, and makes another', async () => {
  await go(page, at('/settings/webhooks'))
  await page.getByLabel('Hosts', { exact: true }).fill('https://shop.example.com')
  await press(page, 'Save hosts')
  await page.getByText(/must be a public host name/).waitFor()
  await page.getByLabel('Hosts', { exact: true }).fill('shop.example.com\nshop.example.org')
  await press(page, 'Save hosts')
  const shown = await dialog(page, 'Your callback secret')
  const first = await shown.getByLabel('Callback secret').inputValue()
  expect(first).toMatch(/^whsec_/)
  world.secrets.add(first)
  await press(shown, 'I have stored it')
  expect(await read<{ hosts: { host: string }[] }>('/webhook-callbacks')).toMatchObject({
    hosts: [{ host: 'shop.example.com' }, { host: 'shop.example.org' }],
  })
  await press(page, 'New callback secret')
  await press(await dialog(page, 'Make a new callback secret?'), 'Make new secret')
  const second = await (await dialog(page, 'Your callback secret')).getByLabel('Callback secret').inputValue()
  expect(second).not.toBe(first)
  world.secrets.add(second)
  await press(page, 'I have stored it')
  await page.getByText('Two signatures until').waitFor()
  expect(await examine(page, 'callback hosts')).toEqual([])
})

test('an endpoint gets filters, which its page shows', async () => {
  await go(page, at('/settings/webhooks'))
  await press(page, 'Add endpoint')
  const form = await dialog(page, 'Add an endpoint')
  await form.getByLabel('Endpoint URL').fill('https://shop.example.com/hook')
  await form.getByLabel('Networks').fill('Ethereum, nowhere')
  await form.getByLabel('Tokens').fill('usdc')
  await form.getByLabel('Start of the reference').fill('shop-7/')
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  await form.getByText(/must be one of ethereum/).waitFor()
  await form.getByLabel('Networks').fill('Ethereum')
  expect(await examine(page, 'endpoint with filters')).toEqual([])
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  const key = await dialog(page, 'Your signing secret')
  world.secrets.add(await key.getByLabel('Signing secret').inputValue())
  await press(key, 'I have stored it')
  await page
    .getByRole('link', { name: /shop\.example\.com/ })
    .first()
    .click()
  await settled(page)
  await page.getByText('Reference begins with').waitFor()
  expect(await page.content()).toContain('shop-7/')
})
