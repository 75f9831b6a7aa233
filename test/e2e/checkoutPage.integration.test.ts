import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { rpc } from '../devnets/evm.ts'
import { startChromium } from '../support/chromium.ts'
import { pdfText } from '../support/pdfText.ts'
import { createStack, type SessionBody } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'
import { type VisitOptions, type Visitor, visit, type World, worldOf } from './browser/world.ts'

// The page of a session's `checkoutUrl`, in a real browser, as its customer and a cashier see it.

let world: World
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() =>
      createStack({ chains: ['ethereum', 'solana', 'tron', 'stellar'], confirmations: 3 }),
    ),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

const unit = 1_000_000n
/** A mainnet's rule asks for many blocks; each of these chains makes a payment final within so many. */
const blocksUntilPaid = 40

async function open(session: SessionBody, options: VisitOptions & { query?: string } = {}): Promise<Page> {
  const { query = '', ...more } = options
  const visitor = await visit(world, { deviceScaleFactor: 2, ...more })
  visitors.push(visitor)
  await visitor.page.goto(`${new URL(String(session.checkoutUrl)).pathname}${query}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor.page
}
const state = (page: Page) => page.locator('.state')
const shows = (page: Page, text: string | RegExp) => state(page).filter({ hasText: text }).waitFor()

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

describe.each([
  { chain: 'ethereum', token: 'USDC', network: 'Ethereum', scheme: 'ethereum:' },
  { chain: 'solana', token: 'USDC', network: 'Solana', scheme: 'solana:' },
  { chain: 'tron', token: 'USDT', network: 'Tron', scheme: 'tron:' },
  { chain: 'stellar', token: 'USDC', network: 'Stellar', scheme: 'web+stellar:' },
] as const)('on $chain', ({ chain, token, network, scheme }) => {
  test('a customer scans the address, pays, and sees it paid within 2 s of the confirming block', async () => {
    const { stack } = world
    const session = await stack.createSession({ chain, token, amount: '12.5', label: 'Table 4' })
    const page = await open(session)
    await shows(page, 'Waiting for your payment')
    const body = page.locator('main')
    expect(await body.textContent()).toContain(network)
    expect(await body.textContent()).toContain(session.address)
    expect(await page.locator('.figure').textContent()).toMatch(/^12\.5 /)
    const qr = page.locator('svg.qr')
    expect(await scanned(page, qr)).toBe(session.address)
    if (session.memo !== undefined) expect(await body.textContent()).toContain(session.memo)
    await page.getByRole('button', { name: 'QR code for wallets with amount' }).click()
    expect(await scanned(page, qr)).toBe(session.paymentUri)
    expect(String(session.paymentUri).startsWith(scheme)).toBe(true)

    if (chain === 'tron') await stack.mine(1, 'tron')
    await stack.pay(session)
    let took = Number.POSITIVE_INFINITY
    for (let block = 0; block < blocksUntilPaid; block++) {
      await stack.mine(1, chain)
      const mined = performance.now()
      await stack.caughtUp(undefined, chain)
      if ((await stack.session(session.id)).status === 'pending') continue
      await shows(page, 'Paid')
      took = performance.now() - mined
      break
    }
    expect(took).toBeLessThan(2000)
    expect(await page.locator('.receipt').textContent()).toContain('12.5')
  })
})

describe('of a session', () => {
  test('that is underpaid, the page asks for the rest with a fresh code, and is paid when it is topped up', async () => {
    const { stack } = world
    const session = await stack.createSession({ amount: '10' })
    const page = await open(session)
    await shows(page, 'Waiting')
    await stack.send(session.address, 4n * unit)
    await stack.mine()
    await shows(page, /4.* of .*10.*USDC.* has arrived/)
    expect(await page.locator('.figure').textContent()).toMatch(/^6 /)
    await page.getByRole('button', { name: 'QR code for wallets with amount' }).click()
    expect(await scanned(page, page.locator('svg.qr'))).toContain('uint256=6000000')
    await stack.send(session.address, 6n * unit)
    await stack.mine(3)
    await shows(page, 'Paid')
  })

  test('that is overpaid, expired, cancelled, paid late or taken back by a fork, the page says what it means', async () => {
    const { stack } = world
    const over = await stack.createSession({ amount: '10' })
    const overPage = await open(over)
    await stack.send(over.address, 11n * unit)
    await stack.mine(3)
    await shows(overPage, 'Paid')
    expect(await overPage.locator('main').textContent()).toContain('more than was asked for')

    const cancelled = await stack.createSession({ amount: '10' })
    const cancelledPage = await open(cancelled)
    await shows(cancelledPage, 'Waiting')
    await stack.api('POST', `/pos/sessions/${cancelled.id}/cancel`, {})
    await shows(cancelledPage, 'cancelled')
    expect(await cancelledPage.locator('svg.qr').count()).toBe(0)

    const reversed = await stack.createSession({ amount: '10', expirySeconds: 86_400 })
    await stack.mine()
    const reversedPage = await open(reversed)
    await stack.send(reversed.address, 10n * unit)
    await stack.mine(3)
    await shows(reversedPage, 'Paid')
    await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [3, []])
    await reversedPage.getByText('has taken your payment back').waitFor()
    await shows(reversedPage, 'Waiting')

    const late = await stack.createSession({ amount: '10', expirySeconds: 3600 })
    const latePage = await open(late)
    await shows(latePage, 'Waiting')
    await stack.mineAt(new Date(Date.parse(late.expiresAt) + 1000))
    await stack.mine(3)
    await shows(latePage, 'expired')
    expect(await latePage.locator('svg.qr').count()).toBe(0)
    await stack.send(late.address, 10n * unit)
    await stack.mine(3)
    await latePage.getByText('came after the time was over').waitFor()
  })
})

describe('when it is paid', () => {
  const tones = (page: Page) => page.evaluate<number[]>('window.tones')

  /** A page that records each tone that it starts. */
  async function openHearing(session: SessionBody): Promise<Page> {
    const visitor = await visit(world)
    visitors.push(visitor)
    await visitor.context.addInitScript(`
      window.tones = []
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...at) {
        window.tones.push(this.frequency.value)
        return start.apply(this, at)
      }`)
    await visitor.page.goto(new URL(String(session.checkoutUrl)).pathname)
    return visitor.page
  }

  test('an open page shows a large mark and plays two rising tones, once; a page that is opened later is silent', async () => {
    const { stack } = world
    // The chain is an hour ahead by now.
    const session = await stack.createSession({ amount: '10', expirySeconds: 86_400 })
    const page = await openHearing(session)
    await shows(page, 'Waiting')
    expect(await page.locator('.sign-paid').count()).toBe(0)
    await stack.pay(session)
    await stack.mine(2)
    await shows(page, 'Confirming')
    expect(await tones(page)).toEqual([])
    await stack.mine(2)
    await shows(page, 'Paid')
    const mark = await page.locator('.sign-paid').boundingBox()
    expect(Math.min(mark?.width ?? 0, mark?.height ?? 0)).toBeGreaterThanOrEqual(64)
    await waitFor('two tones', async () => (await tones(page)).length >= 2)
    expect(await tones(page)).toEqual([660, 880])
    await stack.mine()
    await stack.caughtUp()
    expect(await tones(page)).toEqual([660, 880])

    const later = await openHearing(session)
    await shows(later, 'Paid')
    expect(await tones(later)).toEqual([])
  })

  test('its receipt prints: what was paid, to whom, when and by which transaction, and no button', async () => {
    const { stack } = world
    const session = await stack.createSession({ amount: '12.5', label: 'Table 4', expirySeconds: 86_400 })
    await stack.pay(session)
    await stack.mine(3)
    await stack.caughtUp()
    const page = await open(session)
    await shows(page, 'Paid')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.locator('select').isVisible()).toBe(false)
    const text = pdfText(await page.pdf())
    const { payments } = await stack.session(session.id)
    for (const part of ['Paid', 'Table 4', '12.5 USDC', 'Ethereum', String(payments[0]?.txId)])
      expect(text).toContain(part.replaceAll(' ', ''))
    expect(text).not.toContain('Print')
  })
})

test('after its time, and before a block that is later, the page says that the last blocks are checked, and takes no payment', async () => {
  const { stack } = world
  const session = await stack.createSession({ amount: '10' })
  await stack.caughtUp()
  await stack.db.query("update pos_sessions set expires_at = now() - interval '1 second' where id = $1", [
    session.id,
  ])
  const page = await open(session)
  await shows(page, 'Checking the last blocks')
  expect(await page.locator('main').textContent()).toContain('Please do not send anything now')
  expect(await page.locator('svg.qr').count()).toBe(0)
  await stack.mine(4)
  await shows(page, 'expired')
})

test('what is missing within the tolerance is not asked for: the page shows what came as paid', async () => {
  const { stack } = world
  await stack.db.query('update businesses set tolerance_percent = 1 where id = $1', [stack.businessId])
  const session = await stack.createSession({ amount: '10', expirySeconds: 86_400 })
  await stack.db.query('update businesses set tolerance_percent = null where id = $1', [stack.businessId])
  const page = await open(session)
  await shows(page, 'Waiting')
  expect(await page.locator('.figure').textContent()).toMatch(/^10 /)
  await stack.send(session.address, 9_950_000n)
  await stack.mine()
  await shows(page, 'Confirming')
  await stack.mine(2)
  await shows(page, 'Paid')
  expect(await page.locator('.receipt').textContent()).toContain('9.95')
  expect(await stack.session(session.id)).toMatchObject({ status: 'paid', amountShort: '0.05' })
})

test('each language is chosen by the browser, the link or the customer; Arabic runs from right to left', async () => {
  const session = await world.stack.createSession({ amount: '10', label: 'Table 4', expirySeconds: 86_400 })
  const page = await open(session, { query: '?lang=fr' })
  await shows(page, 'En attente de votre paiement')
  for (const [language, text, direction] of [
    ['pt', 'À espera do seu pagamento', 'ltr'],
    ['ar', 'في انتظار دفعتك', 'rtl'],
    ['en', 'Waiting for your payment', 'ltr'],
  ] as const) {
    await page.locator('select').selectOption(language)
    await shows(page, text)
    expect(await page.locator('html').getAttribute('dir')).toBe(direction)
  }
  const other = await open(session, { query: '?lang=xx' })
  await shows(other, 'Waiting')
})

test('hostile labels are text, and unknown links say so', async () => {
  const label = '<img src=x onerror="document.title=1"> {{label}}'
  const session = await world.stack.createSession({ amount: '10', label, expirySeconds: 86_400 })
  const page = await open(session)
  expect(await page.locator('.label').textContent()).toBe(label)
  expect(await page.locator('main img').count()).toBe(0)
  const visitor = await visit(world, { answersFail: true })
  visitors.push(visitor)
  await visitor.page.goto('/checkout/nothing')
  await visitor.page.getByText('There is no such payment').waitFor()
})

test('every state is readable: axe, 360 px, light and dark, and broke no rule of the content-security policy', async () => {
  const { stack } = world
  const found: string[] = []
  const session = await stack.createSession({ amount: '10', label: 'Table 4', expirySeconds: 86_400 })
  const page = await open(session, { bypassCSP: true })
  await shows(page, 'Waiting')
  found.push(...(await examine(page, 'checkout waiting')))
  await page.locator('select').selectOption('ar')
  await shows(page, 'في انتظار دفعتك')
  found.push(...(await examine(page, 'checkout waiting arabic')))
  await page.locator('select').selectOption('en')
  await stack.send(session.address, 10n * unit)
  await stack.mine()
  await shows(page, 'Confirming')
  found.push(...(await examine(page, 'checkout confirming')))
  await stack.mine(2)
  await shows(page, 'Paid')
  found.push(...(await examine(page, 'checkout paid')))
  const memo = await open(
    await stack.createSession({ chain: 'stellar', token: 'USDC', amount: '10', expirySeconds: 86_400 }),
    { bypassCSP: true },
  )
  found.push(...(await examine(memo, 'checkout memo')))
  expect(found).toEqual([])
  expect(world.recorded.violations).toEqual([])
  expect(world.recorded.errors).toEqual([])
})
