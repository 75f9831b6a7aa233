import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makePayPages } from '../../scripts/dev/payPages.ts'
import { startPayer } from '../../scripts/dev/startPayer.ts'
import { buildDashboard, builtPages } from '../../scripts/local/buildDashboard.ts'
import { startChromium } from '../support/chromium.ts'
import { createStack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Visitor, visit, type World, worldOf } from './browser/world.ts'

// The button of `npm start` that plays the customer of a checkout page.

const chains = ['ethereum', 'solana', 'tron', 'stellar'] as const
let world: World
let payer: Awaited<ReturnType<typeof startPayer>>
const folder = mkdtempSync(join(tmpdir(), 'cowry-pages-'))
const visitors: Visitor[] = []

beforeAll(async () => {
  await buildDashboard()
  const devnets: Parameters<typeof startPayer>[1] = {}
  payer = await startPayer(0, devnets, () => `${world.origin}/api/v1`)
  makePayPages(builtPages, folder, payer.url)
  const [stack, chromium] = await Promise.all([
    createStack({ chains: [...chains], confirmations: 2, env: { COWRY_PAGES: folder } }),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  Object.assign(devnets, { ethereum: stack.devnet })
  for (const chain of ['solana', 'tron', 'stellar'] as const)
    devnets[chain] = { decimals: chain === 'stellar' ? 7 : 6, ...stack.other(chain) }
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await payer?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(chains)('on %s, a press pays what is missing, and the page stays and sees it', async (chain) => {
  const { stack } = world
  const token = chain === 'tron' ? 'USDT' : 'USDC'
  const session = await stack.createSession({ chain, token, amount: '12.5', expirySeconds: 86_400 })
  const visitor = await visit(world)
  visitors.push(visitor)
  const { page } = visitor
  await page.goto(new URL(String(session.checkoutUrl)).pathname)
  await page.locator('svg.qr').waitFor()
  await page.evaluate('window.isSame = true')
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.url().startsWith(payer.url)),
    page.getByRole('button', { name: 'Pay (development)' }).click(),
  ])
  expect(answer.status()).toBe(204)
  for (let block = 0; block < 40; block++) {
    await stack.mine(1, chain)
    await stack.caughtUp(undefined, chain)
    if ((await stack.session(session.id)).status !== 'pending') break
  }
  await page.locator('.state').filter({ hasText: 'Paid' }).waitFor()
  expect(await page.evaluate('window.isSame')).toBe(true)
  expect(await page.getByRole('button', { name: 'Pay (development)' }).count()).toBe(0)
  expect(await page.locator('.receipt').textContent()).toContain('12.5')
  expect(world.recorded.violations).toEqual([])
  expect(world.recorded.errors).toEqual([])
})

test('a second press pays nothing more, and what cannot be paid says why', async () => {
  const { stack } = world
  const session = await stack.createSession({ amount: '10', expirySeconds: 86_400 })
  const pay = (token: string) => fetch(`${payer.url}/pay/${token}`)
  const token = String(session.checkoutUrl).split('/').at(-1) ?? ''
  expect((await Promise.all([pay(token), pay(token)])).map(({ status }) => status)).toEqual([204, 204])
  await stack.mine(2)
  await stack.caughtUp()
  await waitFor('the payment', async () => (await stack.session(session.id)).amountReceived === '10')
  const cancelled = await stack.createSession({ amount: '10' })
  await stack.api('POST', `/pos/sessions/${cancelled.id}/cancel`, {})
  const refused = await pay(String(cancelled.checkoutUrl).split('/').at(-1) ?? '')
  expect([refused.status, await refused.text()]).toEqual([
    409,
    'The session is cancelled, and nothing is missing.',
  ])
  expect((await pay('nothing')).status).toBe(404)
  expect((await fetch(`${payer.url}/pay/`)).status).toBe(404)
})

describe('outside development', () => {
  test('no page that is built has the button or its script', () => {
    const files = readdirSync(builtPages, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )
    const withIt = files.filter((each) =>
      /pay\.js|Pay \(development\)/.test(readFileSync(join(each.parentPath, each.name), 'utf8')),
    )
    expect(withIt.map(({ name }) => name)).toEqual([])
    expect(readFileSync(join(folder, 'checkout.html'), 'utf8')).toContain('pay.js')
  })

  test('a process that no script of ours supervises serves the built pages, whatever COWRY_PAGES says', async () => {
    const { stack } = world
    const process = await stack.start(
      'api',
      { COWRY_PAGES: folder, COWRY_SUPERVISED: '' },
      { as: 'production' },
    )
    const page = await fetch(`http://127.0.0.1:${process.port()}/checkout/any`)
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('pay.js')])
    const script = await fetch(`http://127.0.0.1:${process.port()}/dashboard/pay.js`)
    expect(await script.text()).not.toContain('/pay/')
    const supervised = await fetch(`${world.origin}/checkout/any`)
    expect(await supervised.text()).toContain('pay.js')
  })
})
