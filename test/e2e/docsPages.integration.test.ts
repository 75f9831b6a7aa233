import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { startChromium } from '../support/chromium.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'

// The docs that the API serves: guides, reference and search, in a real browser.

const root = join(import.meta.dirname, '../..')

let stack: Stack
let chromium: Browser
let origin: string

beforeAll(async () => {
  await buildDashboard()
  ;[stack, chromium] = await Promise.all([
    createStack({ chains: ['ethereum'], processes: ['api'] }),
    startChromium(),
  ])
  origin = `http://localhost:${stack.processes.get('api')?.port()}`
})
afterAll(async () => {
  await chromium?.close()
  await stack?.close()
})

/** Every request and every refusal of the page's policy, of all pages that it opens. */
async function reader(): Promise<{ page: Page; requested: URL[]; close: () => Promise<void> }> {
  const context = await chromium.newContext({ baseURL: origin, bypassCSP: false })
  const page = await context.newPage()
  const requested: URL[] = []
  page.on('request', (request) => void requested.push(new URL(request.url())))
  return { page, requested, close: () => context.close() }
}

const anchorsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))

test('every guide is served, and each of their links leads to a page and a heading that exist', async () => {
  const guides = globSync('docs/**/*.md', { cwd: root }).map((file) => `/${file.replace(/\.md$/, '')}`)
  const pages = new Map<string, string>()
  for (const path of ['/docs', '/docs/reference', '/docs/client', ...guides]) {
    const answer = await fetch(origin + path)
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      expect.stringContaining('text/html'),
    ])
    pages.set(path, await answer.text())
  }
  const broken = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/ href="(\/docs[^"]*|#[^"]*)"/g)]
      .map(([, href = '']) => new URL(href, origin + path))
      .filter(({ pathname, hash }) => {
        const target = pages.get(pathname)
        return (
          target === undefined || (hash !== '' && !anchorsOf(target).has(decodeURIComponent(hash.slice(1))))
        )
      })
      .map(({ href }) => `${path}: ${href}`),
  )
  expect(broken).toEqual([])
  expect((await fetch(`${origin}/docs/no-such-guide`)).status).toBe(404)
  expect((await fetch(`${origin}/docs/..%2findex.html`)).status).toBe(404)
})

test('a newcomer finds guides and operations by their own words', async () => {
  const { page, close } = await reader()
  await page.goto('/docs')
  const found = async (words: string) => {
    await page.getByRole('searchbox').fill('')
    await page.getByRole('searchbox').fill(words)
    await page.locator('#found a').first().waitFor()
    return page.locator('#found a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  }
  const searches: [words: string, path: string][] = [
    ['verify signature', '/docs/webhooks#verify'],
    ['create session', '/docs/reference#operation/createSession'],
    ['refund', '/docs/refunds'],
    ['DATABASE_POOL', '/docs/settings#database-and-redis'],
    ['cowry_outbox_dead_rows', '/docs/runbooks/an-outbox-row-is-dead'],
    ['CowryChainLags', '/docs/runbooks/a-chain-lags'],
    ['insufficient_balance', '/docs/errors'],
    ['backup restore', '/docs/backup'],
  ]
  for (const [words, path] of searches)
    expect([words, (await found(words)).some((each) => each?.startsWith(path))]).toEqual([words, true])

  await page.getByRole('searchbox').fill('zzzyyyxxx')
  await waitFor(
    'the search to say so',
    async () => (await page.locator('#found-state').textContent()) === 'Nothing found',
  )

  // By keyboard: down to a hit, and there.
  await page.getByRole('searchbox').fill('verify signature')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/webhooks#verify')
  await page.getByRole('heading', { name: 'Verify', exact: true }).waitFor()
  await close()
})

test('the reference shows an operation with its fields, and loads nothing from elsewhere', async () => {
  const { page, requested, close } = await reader()
  await page.goto('/docs/reference#operation/createSession')
  const operation = page.locator('[data-section-id$="operation/createSession"]').first()
  await operation.getByText('expirySeconds').first().waitFor({ timeout: 90_000 })
  // The badge of the renderer asks for a picture elsewhere: the page's policy refuses it.
  const elsewhere = requested.filter((url) => url.origin !== origin && url.protocol !== 'data:')
  expect(elsewhere.map(({ href }) => href).filter((href) => !/redoc.*\/logo-mini\.svg$/.test(href))).toEqual(
    [],
  )
  expect((await page.context().cookies()).length).toBe(0)
  await close()
})

test.each(['', '/webhooks', '/settings', '/runbooks/a-chain-lags'])(
  '/docs%s is readable: axe has no findings, on a phone nothing is wider than the page',
  async (path) => {
    const context = await chromium.newContext({ baseURL: origin, bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`/docs${path}`)
    expect(await examine(page, `docs${path}`)).toEqual([])
    await context.close()
  },
)
