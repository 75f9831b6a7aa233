import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { startChromium } from '../support/chromium.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { createStack, demoPassword } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { tabTo } from './browser/keyboard.ts'
import { examine } from './browser/visits.ts'
import { givePassword, press, type Visitor, visit, type World, worldOf } from './browser/world.ts'

await awayFromMidnight()

// The till in a real browser: a day of a cashier.

let world: World
let cashier: Person
const visitors: Visitor[] = []
const unit = 1_000_000n
const tablet = { width: 1024, height: 768 }

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum', 'base'], confirmations: 3 })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  cashier = await addMember(stack, stack.businessId, 'cashier')
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function open(options: Parameters<typeof visit>[1] = {}, path = '/till'): Promise<Page> {
  const visitor = await visit(world, { viewport: tablet, deviceScaleFactor: 2, ...options })
  visitors.push(visitor)
  await visitor.page.goto(path)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  return visitor.page
}

const state = (page: Page, text: string | RegExp) =>
  page.locator('.state').filter({ hasText: text }).waitFor()

async function charge(page: Page, amount: string): Promise<void> {
  for (const key of amount) await press(page, key === '.' ? 'Decimal point' : key)
  await page.getByRole('button', { name: /^Charge/ }).click()
  await page.locator('svg.qr').waitFor()
}

const today = async (page: Page): Promise<string[]> => {
  await press(page, 'Today')
  await page.locator('.till-total').waitFor()
  return page.locator('.till-row').allTextContents()
}

interface Due {
  address: Hex
  /** Base units. */
  amount: bigint
  expiresAt: Date
}

/** The session that was made last. */
async function newest(): Promise<Due> {
  const [row] = await world.stack.db.query<{ address: Hex; amount: string; expiresAt: Date }>(
    `select s.address, s.amount_expected as amount, s.expires_at as "expiresAt"
     from till_sessions t join pos_sessions s on s.id = t.session_id order by t.created_at desc limit 1`,
  )
  if (!row) throw new Error('there is no session')
  return { ...row, amount: BigInt(row.amount) }
}

/** A cashier of a business of their own. */
async function newTill(currency: string | null): Promise<Person> {
  const { stack } = world
  const businessId = await addBusiness(stack, await addPerson(stack))
  await stack.db.query('update businesses set local_currency = $2 where id = $1', [businessId, currency])
  return addMember(stack, businessId, 'cashier')
}

/** What a camera reads from the picture of an element. */
async function scanned(page: Page, element: Locator): Promise<string | undefined> {
  const picture = (await element.screenshot()).toString('base64')
  const { grey, width, height } = await page.evaluate<{ grey: string; width: number; height: number }>(`
    (async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${picture}'
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data, width, height } = context.getImageData(0, 0, image.width, image.height)
      const grey = Array.from({ length: width * height }, (_, at) => (data[at * 4] > 127 ? '1' : '0')).join('')
      return { grey, width, height }
    })()`)
  const pixels = [...grey].flatMap((each) => (each === '1' ? [255, 255, 255, 255] : [0, 0, 0, 255]))
  return jsQR.default(Uint8ClampedArray.from(pixels), width, height)?.data
}

// First: a later test moves the chain's clock, so that payments of new sessions would be late.
test('every view is readable: axe, 360 px, light and dark, and broke no rule of the content-security policy', async () => {
  const { stack } = world
  const found: string[] = []
  const signIn = await open({ bypassCSP: true })
  found.push(...(await examine(signIn, 'till sign in')))
  const page = await open({ as: await newTill('NGN'), bypassCSP: true })
  await page.locator('.pad').waitFor()
  found.push(...(await examine(page, 'till keypad')))
  await charge(page, '1234567.89')
  await state(page, 'Waiting')
  found.push(...(await examine(page, 'till waiting')))
  const session = await newest()
  await stack.send(session.address, unit)
  await stack.mine()
  await state(page, 'has arrived')
  found.push(...(await examine(page, 'till partly paid')))
  await press(page, 'Keypad')
  await charge(page, '3000')
  const due = await newest()
  await stack.send(due.address, due.amount)
  await stack.mine()
  await state(page, 'Confirming')
  found.push(...(await examine(page, 'till confirming')))
  await stack.mine(2)
  await state(page, 'Paid')
  found.push(...(await examine(page, 'till paid')))
  await today(page)
  found.push(...(await examine(page, 'till today')))
  expect(found).toEqual([])
})

test('a business without a currency charges in the token that the customer pays with', async () => {
  const page = await open({ as: await newTill(null) })
  await page.locator('.pad').waitFor()
  await page.getByLabel('Customer pays with').selectOption('base/USDC')
  await charge(page, '12.25')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('12.25 USDC')
  expect(await today(page)).toEqual([expect.stringMatching(/12\.25 USDC.*USDC on Base.*Waiting$/)])
})

describe('a day at the till', () => {
  let page: Page

  test('a cashier signs in, and the first customer pays: seen, confirming, paid, with a mark and a sound', async () => {
    const { stack } = world
    page = await open()
    await page.evaluate(`
      window.tones = 0
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...at) { window.tones++; return start.apply(this, at) }`)
    await givePassword(page, cashier.email, demoPassword)
    await page.locator('.pad').waitFor()
    expect(await page.getByText('Enter an amount').isVisible()).toBe(true)
    await page.getByLabel('Customer pays with').selectOption('base/USDC')
    await page.getByLabel('Customer pays with').selectOption('ethereum/USDC')
    await charge(page, '25000')
    await state(page, 'Waiting for the payment')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/NGN\s25,000/)
    const session = await newest()
    expect((await scanned(page, page.locator('svg.qr')))?.toLowerCase()).toBe(session.address.toLowerCase())
    await press(page, 'Wallet link')
    expect(await scanned(page, page.locator('svg.qr'))).toMatch(/^ethereum:/)
    await press(page, 'Page')
    expect(await scanned(page, page.locator('svg.qr'))).toMatch(/\/checkout\/[\w-]{38}$/)
    await stack.send(session.address, session.amount)
    await stack.mine()
    await state(page, 'Confirming 1 of 3')
    expect(await page.locator('svg.qr').count()).toBe(0)
    await stack.mine(2)
    await state(page, 'Paid')
    await waitFor('the sound', async () => (await page.evaluate<number>('window.tones')) === 2)
    await press(page, 'Next customer')
    // The network of the last customer is the default.
    expect(await page.getByLabel('Customer pays with').inputValue()).toBe('ethereum/USDC')
  })

  test('the second leaves: the cashier cancels', async () => {
    await charge(page, '4.50')
    await state(page, 'Waiting for the payment')
    await press(page, 'Cancel payment')
    await state(page, 'Cancelled')
    expect(await page.locator('svg.qr').count()).toBe(0)
    await press(page, 'Next customer')
  })

  test('the third pays too little, tops up nothing, and the time runs out', async () => {
    const { stack } = world
    await charge(page, '16000')
    const session = await newest()
    await stack.send(session.address, 2n * unit)
    await stack.mine()
    await state(page, /^2 of .* USDC has arrived/)
    expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0)
    await stack.mineAt(new Date(session.expiresAt.getTime() + 1000))
    await stack.mine(3)
    await state(page, 'Expired')
    expect(await page.locator('.outcome').textContent()).toContain('Only 2 of')
  })

  test('the list of the day shows all three, the newest first, and the total of what was paid', async () => {
    const rows = await today(page)
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatch(/16,000.*Underpaid$/)
    expect(rows[1]).toMatch(/4\.50.*Cancelled$/)
    expect(rows[2]).toMatch(/25,000.*Paid$/)
    expect(await page.locator('.till-total').textContent()).toMatch(/1 of 3.*NGN\s25,000\.00$/)
    await page.locator('.till-row').nth(2).click()
    await state(page, 'Paid')
  })
})

test('by the keyboard alone: sign in, type an amount, charge, cancel, next', async () => {
  const page = await open()
  await tabTo(page, 'Email')
  await page.keyboard.type(cashier.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await page.locator('.pad').waitFor()
  await page.keyboard.type('12x3,50')
  await page.keyboard.press('Backspace')
  await page.getByText(/^NGN 123\.5$/).waitFor()
  await page.keyboard.press('Enter')
  await state(page, 'Waiting')
  await tabTo(page, 'Cancel payment')
  await page.keyboard.press('Enter')
  await state(page, 'Cancelled')
  await tabTo(page, 'Next customer')
  await page.keyboard.press('Enter')
  await page.getByText(/^NGN 0$/).waitFor()
})

test('a cashier who opens the dashboard is led to the till, and other members keep their pages', async () => {
  const { businessId } = world.stack
  for (const path of ['/dashboard', `/dashboard/b/${businessId}/payments`]) {
    const page = await open({ as: cashier }, path)
    await page.locator('.pad').waitFor()
    expect(new URL(page.url()).pathname).toBe('/till')
  }
  const viewer = await addMember(world.stack, businessId, 'viewer')
  const page = await open({ as: viewer }, `/dashboard/b/${businessId}/payments`)
  expect(new URL(page.url()).pathname).toBe(`/dashboard/b/${businessId}/payments`)
})

test('a lost answer makes no second session, and a failure is shown', async () => {
  const page = await open({ as: cashier, answersFail: true })
  await page.locator('.pad').waitFor()
  await press(page, '7')
  const count = async () => (await world.stack.db.query('select 1 from till_sessions')).length
  const before = await count()
  let isFirst = true
  await page.route('**/till/sessions', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: /^Charge/ }).click()
  await page.locator('svg.qr').or(page.getByText('The answer was lost')).first().waitFor()
  if (await page.getByText('The answer was lost').isVisible())
    await page.getByRole('button', { name: /^Charge/ }).click()
  await page.locator('svg.qr').waitFor()
  expect(await count()).toBe(before + 1)
})

test('can be installed: a manifest with icons, in its own scope', async () => {
  const page = await open({ as: cashier })
  const devtools = await page.context().newCDPSession(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(String(data))).toMatchObject({
    start_url: '/till',
    scope: '/till',
    display: 'standalone',
  })
  // A window of a test is one that stores nothing.
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('loads its own files alone, under 150 kB of compressed script', async () => {
  const answer = await fetch(`${world.origin}/till`)
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';manifest-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  )
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(await answer.text()).not.toMatch(/<script>|style=|https?:/)
  const page = await open({ as: cashier })
  await page.locator('.pad').waitFor()
  const scripts = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  )
  const sizes = await Promise.all(
    scripts.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length),
  )
  expect(scripts.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
})

test('nothing of all this broke a rule of the content-security policy, or failed', () => {
  expect(world.recorded.violations).toEqual([])
  expect(world.recorded.errors).toEqual([])
})
