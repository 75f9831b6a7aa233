import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { program } from '../commands/program.ts'
import type { ChainName } from '../src/chains/registry.ts'
import { startChromium } from '../test/support/chromium.ts'
import { type PayableDevnet, payDevnet } from './dev/payDevnet.ts'
import { homePath } from './dev/state.ts'

interface Dev {
  apiUrl: string
  dashboardUrl: string
  email: string
  password: string
  apiKey: string
  chains: Partial<Record<ChainName, PayableDevnet>>
}

interface Session {
  id: string
  chain: ChainName
  address: string
  memo?: string
  token: string
  amountExpected: string
  checkoutUrl: string
  status: string
}

const folder = join(import.meta.dirname, '../docs/pictures')
/** Readers load them with the README. */
const maxBytes = 150_000
const wide = { width: 1280, height: 800 }
const orders = [
  { label: 'Two coffees', localAmount: '25000' },
  { label: 'Table 4', localAmount: '48500' },
  { label: 'Order 1042', localAmount: '7200' },
]

// Pictures of the pages for the README, of a running npm start: it takes some payments first, so that the pages
// have something to show.

export const run = program('dev pictures', async () => {
  const file = join(homePath(), 'dev.json')
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Run npm start first, with the same COWRY_HOME.`)
  const dev = JSON.parse(readFileSync(file, 'utf8')) as Dev
  const open = await takePayments(dev)
  if (!open) throw new Error('No chain of this npm start has a devnet, so no payment can be made.')
  mkdirSync(folder, { recursive: true })
  const browser = await startChromium()
  try {
    await picture(browser, 'checkout', { width: 800, height: 1000 }, async (page) => {
      await page.goto(open.checkoutUrl)
      await page.locator('svg.qr').waitFor()
      // The button of npm start is not in the product.
      await page.evaluate("document.querySelector('aside')?.remove()")
    })
    await picture(browser, 'overview', wide, async (page) => {
      await signIn(page, dev, dev.dashboardUrl)
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    })
    await picture(browser, 'till', { width: 1024, height: 768 }, async (page) => {
      await signIn(page, dev, new URL('/till', dev.dashboardUrl).href)
      for (const digit of '25000') await page.getByRole('button', { name: digit, exact: true }).click()
    })
  } finally {
    await browser.close()
  }
})

/** @returns the one that is left open; undefined: there is no devnet */
async function takePayments(dev: Dev): Promise<Session | undefined> {
  const chains = Object.entries(dev.chains) as [ChainName, PayableDevnet][]
  const sessions = await Promise.all(
    orders.flatMap((order, index) => {
      const [chain, devnet] = chains[index % Math.max(1, chains.length)] ?? []
      const token = devnet?.usdc ? 'USDC' : 'USDT'
      return chain
        ? [api<Session>(dev, 'POST', '/pos/sessions', { chain, token, localCurrency: 'NGN', ...order })]
        : []
    }),
  )
  const [open, ...paid] = sessions
  for (const { id, chain, address, memo, token, amountExpected } of paid) {
    const devnet = dev.chains[chain]
    if (devnet) await payDevnet(chain, devnet, { address, memo, token, amount: amountExpected })
    await untilPaid(dev, id)
  }
  return open
}

async function untilPaid(dev: Dev, id: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    if ((await api<Session>(dev, 'GET', `/pos/sessions/${id}`)).status !== 'pending') return
    if (Date.now() > deadline) throw new Error(`the session ${id} is not paid in time; see the logs`)
  }
}

async function api<T>({ apiUrl, apiKey }: Dev, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as T & { message?: string }
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.message}`)
  return answer
}

async function signIn(page: Page, dev: Dev, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(dev.email)
  await page.getByLabel('Password', { exact: true }).fill(dev.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' })
}

async function picture(
  browser: Browser,
  name: string,
  viewport: { width: number; height: number },
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await open(page)
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {
      // A page that follows its state is never idle.
    })
    const image = await page.screenshot()
    if (image.length > maxBytes) throw new Error(`${name}.png has ${image.length} bytes, over ${maxBytes}`)
    writeFileSync(join(folder, `${name}.png`), image)
    process.stdout.write(`docs/pictures/${name}.png ${image.length} bytes\n`)
  } finally {
    await context.close()
  }
}
