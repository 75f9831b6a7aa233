import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { sessionOfToken } from '../../src/sessions/checkout/checkoutToken.ts'
import { startChromium } from '../support/chromium.ts'
import { createStack, demoPassword, type SessionBody } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { examine } from './browser/visits.ts'
import {
  givePassword,
  go,
  press,
  settled,
  type VisitOptions,
  type Visitor,
  visit,
  type World,
  worldOf,
} from './browser/world.ts'

// Payment links in a real browser: made in the dashboard, opened and paid by customers.

let world: World
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum', 'solana'], confirmations: 1 })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
}, 600_000)
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

interface Link {
  id: string
  url: string
}

async function make(body: object): Promise<Link> {
  const { status, body: link } = await world.stack.api<Link>('POST', '/payment-links', body)
  expect(status).toBe(201)
  return link
}
async function newPage(options: VisitOptions = {}): Promise<Page> {
  const visitor = await visit(world, options)
  visitors.push(visitor)
  return visitor.page
}
async function open(
  { url }: Pick<Link, 'url'>,
  options: VisitOptions & { query?: string } = {},
): Promise<Page> {
  const { query = '', ...more } = options
  const page = await newPage(more)
  await page.goto(`${new URL(url).pathname}${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()
/** The session of the checkout page that is shown. */
async function sessionOn(page: Page): Promise<SessionBody> {
  await page.waitForURL(/\/checkout\//)
  const token = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  return world.stack.session(sessionOfToken(new Secret(appKey), token) ?? '')
}
const shows = (page: Page, text: string | RegExp) =>
  page.locator('.state').filter({ hasText: text }).waitFor()

describe('a customer', () => {
  test('picks the chain and pays: the page of the payment follows, and shows it paid', async () => {
    const { stack } = world
    const page = await open(await make({ amount: '12.5', label: 'Invoice 7', maxSessions: 1 }))
    expect(await page.locator('.figure').textContent()).toContain('12.5')
    await page.getByRole('radio', { name: 'USDC' }).check()
    await page.getByRole('radio', { name: 'Solana' }).check()
    await goOn(page)
    const session = await sessionOn(page)
    expect(session).toMatchObject({ chain: 'solana', token: 'USDC', amountExpected: '12.5' })
    await shows(page, 'Waiting for your payment')
    expect(await page.locator('main').textContent()).toContain(session.address)
    await stack.pay(session)
    for (let block = 0; block < 40; block++) {
      await stack.mine(1, 'solana')
      await stack.caughtUp(undefined, 'solana')
      if ((await stack.session(session.id)).status === 'paid') break
    }
    await shows(page, 'Paid')
  })

  test('who loads the page again, or goes back, gets the same payment and no second address', async () => {
    const link = await make({ amount: '12.5' })
    const page = await open(link)
    await goOn(page)
    const session = await sessionOn(page)
    await page.goBack()
    await page.reload()
    await goOn(page)
    expect((await sessionOn(page)).id).toBe(session.id)
    expect((await world.stack.api(`GET`, `/payment-links/${link.id}`)).body).toMatchObject({ sessions: 1 })
  })

  test('a link opened by three at once: three sessions, three addresses, one is paid, the others wait', async () => {
    const { stack } = world
    const link = await make({ amount: '10' })
    const pages = await Promise.all([open(link), open(link), open(link)])
    await Promise.all(pages.map(goOn))
    const sessions = await Promise.all(pages.map(sessionOn))
    expect(new Set(sessions.map(({ address }) => address)).size).toBe(3)
    const [first] = sessions
    if (!first) throw new Error('no session')
    await stack.pay(first)
    await stack.mine()
    const [paid, ...others] = pages
    if (paid) await shows(paid, 'Paid')
    for (const page of others) await shows(page, 'Waiting for your payment')
    expect((await stack.api('GET', `/payment-links/${link.id}`)).body).toMatchObject({
      sessions: 3,
      paidSessions: 1,
    })
  })

  test('names an open amount; what is wrong is said at the field, which has the focus', async () => {
    const page = await open(await make({ openAmount: { localCurrency: 'NGN', min: '500', max: '100000' } }))
    const amount = page.getByLabel(/^Amount in/)
    for (const [typed, words] of [
      ['', 'Enter an amount'],
      ['1,500', 'Enter an amount'],
      ['499.99', 'The least amount is'],
      ['100000.01', 'The greatest amount is'],
      ['600.001', 'too many decimals'],
    ] as const) {
      await amount.fill(typed)
      await goOn(page)
      await page.locator('.wrong').filter({ hasText: words }).waitFor()
      expect(await page.evaluate('document.activeElement.name')).toBe('amount')
    }
    await amount.fill('1500.50')
    await page.keyboard.press('Enter')
    expect(await sessionOn(page)).toMatchObject({ localAmount: '1500.5', localCurrency: 'NGN' })
  })

  test.each([
    ['fr', 'Continuer', 'Sur quel réseau', 'ltr'],
    ['pt', 'Continuar', 'Em que rede', 'ltr'],
    ['ar', 'متابعة', 'على أي شبكة', 'rtl'],
  ])(
    'in %s chooses in that language, which the page of the payment keeps',
    async (language, button, question, dir) => {
      const page = await open(await make({ amount: '10' }), { query: `?lang=${language}` })
      await page.getByText(question).waitFor()
      expect(await page.locator('html').getAttribute('dir')).toBe(dir)
      await page.getByRole('button', { name: button }).click()
      await page.waitForURL(new RegExp(`/checkout/.*lang=${language}`))
    },
  )

  test('reads in plain words that a link is off, expired, used or unknown', async () => {
    const { stack } = world
    const link = await make({ amount: '10', maxSessions: 1 })
    const page = await open(link, { answersFail: true })
    await stack.api('PATCH', `/payment-links/${link.id}`, { disabled: true })
    await goOn(page)
    await page.getByText('This link is switched off').waitFor()
    await stack.api('PATCH', `/payment-links/${link.id}`, { disabled: false })
    await page.reload()
    await goOn(page)
    await stack.pay(await sessionOn(page))
    await stack.mine()
    await shows(page, 'Paid')
    const other = await open(link)
    await other.getByText('This link has been used').waitFor()
    await stack.db.query('update payment_links set expires_at = now() where id = $1', [link.id])
    await other.reload()
    await other.getByText('The time of this link is over').waitFor()
    const unknown = await open({ url: `http://localhost/pay/${'x'.repeat(22)}` }, { answersFail: true })
    await unknown.getByText('There is no such link').waitFor()
  })

  test('sees hostile labels as text', async () => {
    const label = '<img src=x onerror="document.title=1"> {merchant}'
    const page = await open(await make({ amount: '10', label, reference: '<script>alert(1)</script>' }))
    expect(await page.locator('.label').textContent()).toBe(label)
    expect(await page.locator('main img').count()).toBe(0)
    await goOn(page)
    await shows(page, 'Waiting for your payment')
    expect(await page.locator('.label').textContent()).toBe(label)
  })
})

test('every state of the page is readable: axe, 360 px, light and dark', async () => {
  const found: string[] = []
  const fixed = await open(await make({ localAmount: '25000', localCurrency: 'NGN', label: 'Invoice 7' }), {
    bypassCSP: true,
  })
  found.push(...(await examine(fixed, 'link fixed')))
  const link = await make({ openAmount: { localCurrency: 'NGN', min: '500' }, label: 'Donation' })
  const named = await open(link, { bypassCSP: true })
  await goOn(named)
  await named.locator('.wrong').waitFor()
  found.push(...(await examine(named, 'link open')))
  await named.locator('select').selectOption('ar')
  await named.getByText('على أي شبكة').waitFor()
  found.push(...(await examine(named, 'link arabic')))
  await world.stack.api('PATCH', `/payment-links/${link.id}`, { disabled: true })
  const off = await open(link, { bypassCSP: true })
  found.push(...(await examine(off, 'link off')))
  expect(found).toEqual([])
})

test('in the dashboard a link is made, shared, followed, renamed and switched off', async () => {
  const { stack } = world
  const page = await newPage({ bypassCSP: true, answersFail: true })
  await go(page, '/dashboard/')
  await givePassword(page, demoEmail, demoPassword)
  await page.waitForURL(/\/dashboard\/b\//)
  const at = `/dashboard/b/${stack.businessId}/payment-links`
  await go(page, at)
  const found: string[] = []
  await page.getByRole('link', { name: 'New payment link' }).click()
  await settled(page)
  await page.getByRole('radio', { name: 'Open' }).check()
  await page.getByLabel('In', { exact: true }).selectOption('token')
  await page.getByLabel('At least').fill('5')
  await page.getByLabel('At most').fill('4')
  await page.getByRole('radio', { name: 'Only some' }).check()
  await page.getByRole('checkbox', { name: 'USDC on Solana' }).check()
  await page.getByLabel('Label').fill('Donation <b>')
  await press(page, 'Create payment link')
  await page.locator('.field-error').filter({ hasText: 'must not be less than the minimum' }).waitFor()
  found.push(...(await examine(page, 'dashboard new link')))
  await page.getByLabel('At most').fill('50')
  await page.getByRole('button', { name: 'Create payment link' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'Donation <b>' }).waitFor()
  const made = await stack.db.query<{ id: string; token: string }>(
    `select id, token from payment_links where label = 'Donation <b>'`,
  )
  expect(made).toHaveLength(1)
  const [{ id, token } = { id: '', token: '' }] = made
  expect(await page.locator('.copy-value code').textContent()).toMatch(new RegExp(`/pay/${token}$`))
  const customer = await open({ url: `http://localhost/pay/${token}` })
  await customer.getByLabel(/^Amount in/).fill('7.25')
  await goOn(customer)
  const session = await sessionOn(customer)
  expect(session).toMatchObject({ chain: 'solana', amountExpected: '7.25', linkId: id })
  await page.reload()
  await page.getByRole('link', { name: '7.25 USDC' }).waitFor()
  found.push(...(await examine(page, 'dashboard link')))
  await press(page, 'Change label')
  await page.getByRole('dialog').getByLabel('Label').fill('Gift')
  await page.getByRole('dialog').getByRole('button', { name: 'Change label' }).click()
  await page.getByRole('heading', { level: 1, name: 'Gift' }).waitFor()
  await press(page, 'Switch off')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Switched off', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Switch on' }).waitFor()
  await go(page, `${at}?status=disabled`)
  await page.getByRole('link', { name: 'Gift' }).waitFor()
  found.push(...(await examine(page, 'dashboard links')))

  await go(page, `/dashboard/b/${stack.businessId}/payments/new`)
  await page.getByLabel('Network').selectOption('Customer chooses')
  await page.getByLabel('In', { exact: true }).selectOption('token')
  await page.getByLabel('Amount').fill('3')
  await page.getByLabel('Reference').fill('chosen-1')
  found.push(...(await examine(page, 'dashboard customer chooses')))
  await press(page, 'Create payment')
  await page.getByText('Nobody has chosen how to pay yet.').waitFor()
  const [one] = await stack.db.query(
    `select amount::float as amount, max_sessions as "maxSessions" from payment_links where reference = 'chosen-1'`,
  )
  expect(one).toEqual({ amount: 3, maxSessions: 1 })
  expect(found).toEqual([])
})

test('no page broke a rule of the content-security policy, or logged an error', () => {
  expect(world.recorded.violations).toEqual([])
  expect(world.recorded.errors).toEqual([])
})
