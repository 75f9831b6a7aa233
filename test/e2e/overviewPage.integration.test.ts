import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { startChromium } from '../support/chromium.ts'
import { addBusiness, addMember, addPerson, type Person } from '../support/dashboardSession.ts'
import { makeTaking, makeUnpaid } from '../support/madeTakings.ts'
import { createStack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { makeWebhookRecords } from '../support/webhookRecords.ts'
import { makeBooks } from './browser/books.ts'
import { focusIsOn } from './browser/keyboard.ts'
import { examine } from './browser/visits.ts'
import { go, heading, settled, type Visitor, visit, type World, worldOf } from './browser/world.ts'

await awayFromMidnight()

// The dashboard's first page and its navigation, in a real browser.

let world: World
let owner: Person
let shop: string
let empty: string
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum', 'base'], processes: ['api'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  const { db } = stack
  owner = await addPerson(stack)
  shop = await addBusiness(stack, owner)
  empty = await addBusiness(stack, owner)
  await db.query("update businesses set name = 'Harbour Coffee', local_currency = 'NGN' where id = $1", [
    shop,
  ])
  await db.query(
    "update businesses set name = 'A new shop with a long name, which is cut off' where id = $1",
    [empty],
  )
  // The demo's business belongs to the same owner, to whose page the api's key belongs.
  await addMember(stack, stack.businessId, 'owner', owner)
  for (let day = 0; day < 30; day++) {
    const amount = 20 + ((day * 7919) % 97)
    const at = new Date(Date.now() - day * 86_400_000)
    const local = { amount: `${amount * 1550}.5`, currency: 'NGN' }
    await makeTaking(db, shop, { at, amount, local, reference: `INV-${100 + day}` })
    if (day % 3 === 0) await makeTaking(db, shop, { at, amount: amount / 2, local, chain: 'base' })
    if (day % 5 === 0) await makeUnpaid(db, shop, { at })
  }
  const late = await makeUnpaid(db, shop, { at: new Date() })
  await db.query(
    "update pos_sessions set exception = 'late', amount_received = 700000, reference = 'INV-7' where id = $1",
    [late],
  )
  const { endpoint } = await makeWebhookRecords(db, shop)
  await db.query(
    'update webhook_endpoints set failing_since = now(), consecutive_failures = 3 where id = $1',
    [endpoint],
  )
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function open(path: string, options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const visitor = await visit(world, { as: owner, ...options })
  visitors.push(visitor)
  await go(visitor.page, path)
  return visitor.page
}
const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
/** The text of what has the focus. */
const entry = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const links = (within: ReturnType<typeof main>) => within.getByRole('link').allTextContents()

describe('the overview', () => {
  test('shows what was taken in the business’s currency, what it has, and what needs a person', async () => {
    const page = await open(`/dashboard/b/${shop}`)
    expect(await heading(page)).toBe('Overview')
    const figures = await page.getByRole('list', { name: 'Figures' }).textContent()
    expect(figures).toMatch(/Taken today62,001\.00\sNGN2 payments/)
    expect(figures).toMatch(/Paid, of 30 days85 %40 of 47 requests that ended/)
    const needs = page.getByRole('region', { name: 'Needs you' })
    await needs.getByRole('link', { name: 'INV-7' }).waitFor()
    expect(await needs.textContent()).toContain('does not take its webhooks')
    await page.getByRole('img', { name: /The most was taken on/ }).waitFor()
    await page.getByText('As a table').click()
    expect(await page.getByRole('table', { name: 'Taken by day' }).getByRole('row').count()).toBe(31)
    expect(await page.getByRole('table', { name: 'Payments' }).getByRole('row').count()).toBe(7)
  })

  test('of a new business says what to do next', async () => {
    const page = await open(`/dashboard/b/${empty}`)
    await page.getByText('There is no payment yet.').waitFor()
    await page.getByText('Nothing was taken in the last 30 days.').waitFor()
    expect(await page.getByRole('region', { name: 'Needs you' }).count()).toBe(0)
    const next = page.getByRole('main').getByRole('link', { name: 'New payment' })
    expect(await next.first().getAttribute('href')).toBe(`/dashboard/b/${empty}/payments/new`)
  })

  test('offers a viewer no new payment', async () => {
    const as = await addMember(world.stack, shop, 'viewer')
    const page = await open('/dashboard/', { as })
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await settled(page)
    expect(await page.getByRole('link', { name: 'New payment' }).count()).toBe(0)
  })

  test('shows a new payment without a reload, by the stream of events', async () => {
    const page = await open(`/dashboard/b/${world.stack.businessId}`)
    await page.getByText('Live', { exact: true }).or(page.getByText('There is no payment yet.')).waitFor()
    await world.stack.createSession({
      chain: 'ethereum',
      token: 'USDC',
      amount: '12.5',
      reference: 'Table 4',
    })
    await page.getByRole('row', { name: /Table 4/ }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await world.stack.createSession({ chain: 'base', token: 'USDC', amount: '3.5', reference: 'Table 5' })
    await page.getByRole('row', { name: /Table 5/ }).waitFor()
  })

  test('shows new payments too where the server refuses streams', async () => {
    const visitor = await visit(world, { as: owner, answersFail: true })
    visitors.push(visitor)
    const { page } = visitor
    await page.clock.install()
    await page.route(/\/events\?type=/, (route) => route.fulfill({ status: 429, json: {} }))
    await go(page, `/dashboard/b/${world.stack.businessId}`)
    await world.stack.createSession({ chain: 'base', token: 'USDC', amount: '3.5', reference: 'Table 6' })
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0)
    await page.clock.runFor(16_000)
    await page.getByRole('row', { name: /Table 6/ }).waitFor()
  })

  test('has no fault that axe finds and is no wider than a phone, full and empty, in light and in dark', async () => {
    const page = await open(`/dashboard/b/${shop}`, { bypassCSP: true })
    await page.getByText('As a table').click()
    await page.getByRole('slider', { name: 'Day of the chart' }).focus()
    const faults = await examine(page, 'overview')
    await go(page, `/dashboard/b/${empty}`)
    expect([...faults, ...(await examine(page, 'overview, empty'))]).toEqual([])
  })
})

describe('the navigation', () => {
  test('has eight entries, whose pages are on top of each page, each once, with the current one marked', async () => {
    const page = await open(`/dashboard/b/${shop}`)
    const entries = await main(page).locator('.nav-entries').getByRole('link').all()
    const names = await Promise.all(entries.map((each) => each.textContent()))
    expect(names).toEqual([
      'Home',
      'Payments',
      'Payouts',
      'Collections',
      'Money',
      'Books',
      'Developers',
      'Settings',
    ])
    const seen: string[] = []
    for (const name of names) {
      await main(page)
        .getByRole('link', { name: String(name), exact: true })
        .click()
      await settled(page)
      expect(await main(page).locator('.nav-entries [aria-current]').allTextContents()).toEqual([name])
      const tabs = page.getByRole('navigation', { name: String(name), exact: true })
      const pages = (await tabs.count()) > 0 ? await tabs.getByRole('link').all() : []
      for (const each of pages) {
        const text = String(await each.textContent())
        await each.click()
        await settled(page)
        expect(await tabs.locator('[aria-current]').allTextContents()).toEqual([text])
        seen.push(new URL(page.url()).pathname)
      }
    }
    expect(seen.length).toBe(new Set(seen).size)
    expect(seen.length).toBeGreaterThan(20)
  })

  test('switches between businesses and the platform, also from pages of neither', async () => {
    const operator = await addPerson(world.stack, { operator: true })
    const [one, other] = [await addBusiness(world.stack, operator), await addBusiness(world.stack, operator)]
    await world.stack.db.query(
      "update businesses set name = case id when $1 then 'First' else 'Second' end where id in ($1, $2)",
      [one, other],
    )
    const page = await open(`/dashboard/b/${one}`, { as: operator })
    const switchTo = async (name: string) => {
      await page.getByRole('button', { name: /Switch business/ }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
      await settled(page)
    }
    await switchTo('Platform')
    expect(await heading(page)).toBe('All businesses')
    expect(await links(main(page))).toEqual(expect.arrayContaining(['Treasury', 'Audit log']))
    await switchTo('Second')
    expect(new URL(page.url()).pathname).toBe(`/dashboard/b/${other}`)
    await main(page)
      .getByRole('link', { name: /Account/ })
      .click()
    await settled(page)
    // The pages of an account belong to no business: the last one stays.
    await page.getByRole('button', { name: /now: Second/ }).waitFor()
    await main(page).getByRole('link', { name: 'Payments', exact: true }).click()
    await page.waitForURL(`**/b/${other}/payments`)
  })

  test('signs out from a button in sight', async () => {
    const page = await open(`/dashboard/b/${shop}`, { as: await addMember(world.stack, shop, 'viewer') })
    const box = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/dashboard/sign-in')
  })

  test('on a phone of 360 px opens a menu that leaves a part of the page in sight, by the keyboard too', async () => {
    const page = await open(`/dashboard/b/${shop}`, {
      viewport: { width: 360, height: 740 },
      bypassCSP: true,
    })
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.focus()
    await page.keyboard.press('Enter')
    const box = await main(page).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(500)
    await page.keyboard.press('Tab')
    await waitFor('the focus on the business', async () => (await entry(page)).includes('Harbour Coffee'))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Your businesses' }).waitFor()
    expect(await examine(page, 'menu of businesses')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await page.keyboard.press('Escape')
    // It closes the menu of businesses alone, and not the one around it.
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await main(page).isVisible()).toBe(true)
    expect(await examine(page, 'menu')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await main(page).getByRole('link', { name: 'Payments', exact: true }).focus()
    await page.keyboard.press('Escape')
    await waitFor('the focus on the button', async () => (await entry(page)) === 'Menu')
    await main(page).waitFor({ state: 'hidden' })
    await menu.press('Enter')
    await main(page).getByRole('link', { name: 'Settings', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Business' }).waitFor()
    expect(await main(page).isVisible()).toBe(false)
  })
})

describe('the chart of the overview', () => {
  const tip = (page: Page) => page.locator('.chart-tip')
  const told = (page: Page) => tip(page).allInnerTexts()
  const slider = (page: Page) => page.getByRole('slider', { name: 'Day of the chart' })

  test('tells each day by the keyboard, with its exact amount, also to screen readers', async () => {
    const page = await open(`/dashboard/b/${shop}`)
    await slider(page).focus()
    const today = await slider(page).getAttribute('aria-valuetext')
    expect(today).toMatch(/: 62,001\.00\sNGN, 2 payments, 10 USDC on Base, 20 USDC on Ethereum$/)
    expect((await told(page)).join()).toMatch(
      /62,001\.00\sNGN\s+2 payments\s+10 USDC on Base\s+20 USDC on Ethereum/,
    )
    await page.keyboard.press('ArrowLeft')
    expect(await slider(page).getAttribute('aria-valuetext')).toMatch(/127,100\.50\sNGN, 1 payment,/)
    await page.keyboard.press('Home')
    expect(await slider(page).inputValue()).toBe('0')
    await page.keyboard.press('Escape')
    expect(await told(page)).toEqual([])
  })

  test('tells the day that the mouse points at, or a finger touches, and stays within a phone', async () => {
    const page = await open(`/dashboard/b/${shop}`)
    const at = async (of: Page, share: number) => {
      const { x, y, width } = (await slider(of).boundingBox()) ?? { x: 0, y: 0, width: 0 }
      return [x + width * share, y + 80] as const
    }
    await slider(page).scrollIntoViewIfNeeded()
    await page.mouse.move(...(await at(page, 29.5 / 30)))
    await tip(page).filter({ hasText: '62,001.00' }).waitFor()
    await page.mouse.move(0, 0)
    await tip(page).waitFor({ state: 'detached' })

    const phone = await open(`/dashboard/b/${shop}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await slider(phone).scrollIntoViewIfNeeded()
    for (const [day, share] of [
      ['0', 0.4],
      ['29', 29.6],
    ] as const) {
      await phone.touchscreen.tap(...(await at(phone, share / 30)))
      await waitFor(`day ${day}`, async () => (await slider(phone).inputValue()) === day)
      const box = await tip(phone).boundingBox()
      expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([true, true])
    }
  })

  test('is loaded with the overview alone, and where it cannot be, the table stays', async () => {
    const visitor = await visit(world, { as: owner, answersFail: true })
    visitors.push(visitor)
    const { page } = visitor
    await page.route('**/assets/DayChart-*.js', (route) => route.fulfill({ status: 404 }))
    const seen: string[] = []
    page.on('request', (request) => seen.push(request.url()))
    await go(page, `/dashboard/b/${shop}/payments`)
    expect(seen.filter((url) => url.includes('DayChart'))).toEqual([])
    await main(page).getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('The chart could not be loaded').waitFor()
    await page.getByText('As a table').click()
    expect(await page.getByRole('table', { name: 'Taken by day' }).getByRole('row').count()).toBe(31)
    world.recorded.errors.splice(0)
  })
})

describe('menus, tips and dialogs', () => {
  const switcher = (page: Page) => page.getByRole('button', { name: /Switch business/ })

  test('a menu takes letters, Home and End, is left by Escape and Tab, and closes at a press outside', async () => {
    const page = await open(`/dashboard/b/${shop}`)
    await switcher(page).focus()
    await page.keyboard.press('ArrowUp')
    await waitFor('the last entry', async () => (await entry(page)) === 'Your businesses')
    await page.keyboard.press('ArrowDown')
    await waitFor('another entry', async () => (await entry(page)) !== 'Your businesses')
    await page.keyboard.type('a new')
    await waitFor('the entry of these letters', async () => (await entry(page)).startsWith('A new shop'))
    await page.keyboard.press('End')
    await waitFor('the last entry again', async () => (await entry(page)) === 'Your businesses')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await waitFor('the focus on the button', async () => (await entry(page)).includes('Harbour Coffee'))
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await entry(page)).toBe('Home')
    await switcher(page).click()
    await page.getByRole('menu').waitFor()
    await switcher(page).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await switcher(page).click()
    await page.getByRole('menu').waitFor()
    await page.mouse.click(900, 700)
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a finger opens a menu by a tap, and not where it only starts to scroll', async () => {
    const page = await open(`/dashboard/b/${shop}`, {
      viewport: { width: 1024, height: 768 },
      hasTouch: true,
    })
    const { x, y } = (await switcher(page).boundingBox()) ?? { x: 0, y: 0 }
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at.length > 0 ? [{ x: x + 40, y: y + 20 + Number(at[0]) }] : [],
      })
    await switcher(page).tap()
    await page.getByRole('menuitem', { name: 'Your businesses' }).tap()
    await page.getByRole('heading', { level: 1, name: 'Your businesses' }).waitFor()
    await send('touchStart', 0)
    for (const by of [-10, -60, -120]) await send('touchMove', by)
    await send('touchEnd')
    await settled(page)
    expect(await page.getByRole('menu').count()).toBe(0)
  })

  test('a dialog of a menu gives the focus back to its button, and the page behind it stays', async () => {
    const page = await open(`/dashboard/b/${world.stack.businessId}/settings/api-keys`)
    await page.getByRole('table').getByRole('link').first().click()
    const more = page.getByRole('button', { name: 'More actions' })
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.mouse.wheel(0, 400)
    expect(await page.evaluate('getComputedStyle(document.documentElement).overflowY')).toBe('hidden')
    // As a file field inside it says, whose chooser is closed without a file.
    await page.evaluate(
      `document.querySelector('dialog h2').dispatchEvent(new Event('cancel', { bubbles: true, cancelable: true }))`,
    )
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusIsOn(page, 'More actions')
  })

  test('a tip tells the exact amount to the keyboard and to a finger, and Escape ends it', async () => {
    const books = await addBusiness(world.stack, owner)
    await makeBooks(world, books)
    const page = await open(`/dashboard/b/${books}/balances`, { hasTouch: true })
    const tip = page.getByRole('tooltip')
    const short = page.getByRole('button', { name: '123,456,789.123456 USDT' }).first()
    await short.focus()
    await tip.waitFor()
    expect(await tip.textContent()).toBe('123456789.123456789123456789 USDT')
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 844 })
    await short.tap()
    await tip.waitFor()
    await page.getByRole('heading', { level: 1 }).tap()
    await tip.waitFor({ state: 'detached' })
    const examined = await open(`/dashboard/b/${books}/balances`, { bypassCSP: true })
    await examined.getByRole('button', { name: '123,456,789.123456 USDT' }).first().focus()
    await examined.getByRole('tooltip').waitFor()
    expect(await examine(examined, 'tip')).toEqual([])
  })

  test('need nothing that the content security policy forbids', () => {
    expect([world.recorded.violations, world.recorded.errors]).toEqual([[], []])
  })
})

describe('the code of the pages', () => {
  test('is loaded by page: the first takes less than 350 kB compressed', async () => {
    const page = await open('/dashboard/businesses')
    const scripts = new Set<string>()
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.add(new URL(response.url()).pathname)
    })
    await go(page, `/dashboard/b/${shop}`)
    const first = new Set(scripts)
    expect([first.size > 1, (await compressed(first)) < 350_000]).toEqual([true, true])
    await main(page).getByRole('link', { name: 'Developers', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(scripts.size).toBeGreaterThan(first.size)
  })

  test('that cannot be loaded is loaded anew', async () => {
    const visitor = await visit(world, { as: owner, answersFail: true })
    const { page } = visitor
    await go(page, `/dashboard/b/${shop}`)
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await main(page).getByRole('link', { name: 'Collections', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    await page.unroute('**/assets/*.js')
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
    // The browser logs the error that the page has handled.
    world.recorded.errors.splice(0)
    await visitor.leave()
  })
})

/** The bytes of these scripts, as a proxy compresses them. */
async function compressed(paths: ReadonlySet<string>): Promise<number> {
  let sum = 0
  for (const path of paths) {
    const body = await (await fetch(`${world.origin}${path}`)).arrayBuffer()
    sum += gzipSync(Buffer.from(body)).length
  }
  return sum
}
