import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { startChromium } from '../support/chromium.ts'
import { addMember, dashboard, type Headers, sessionOf } from '../support/dashboardSession.ts'
import { goldenFile } from '../support/goldenFiles.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'
import {
  press,
  type VisitOptions,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

// The face of a business towards its customers: its logo, and the way back to its shop.

let stack: Stack
let world: World
let owner: Headers
const visitors: Visitor[] = []

beforeAll(async () => {
  const [made, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum'], confirmations: 2 })),
    startChromium(),
  ])
  stack = made
  world = worldOf(stack, chromium)
  owner = (await sessionOf(stack, await addMember(stack, stack.businessId, 'owner'))).headers
  await setHosts(['shop.example.com'])
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

interface Settings {
  returnHosts: string[]
  logo: string | null
  fields?: { field: string; message: string }[]
}
const settings = (method: string, path: string, body?: object, headers = owner) =>
  dashboard<Settings>(stack, method, `/businesses/${stack.businessId}${path}`, body, headers)
const setHosts = (returnHosts: string[]) =>
  settings('PUT', '/payments', { localCurrency: null, accepted: null, returnHosts })
const setLogo = (image: Buffer | string, headers = owner) =>
  settings('PUT', '/logo', { image: typeof image === 'string' ? image : image.toString('base64') }, headers)

const shop = 'https://shop.example.com/orders/7?from=cowry'
const create = (more: object = {}) =>
  stack.createSession({ amount: '10', expirySeconds: 86_400, returnUrl: shop, ...more })
const pathOf = (session: SessionBody) => new URL(String(session.checkoutUrl)).pathname
const shown = async (session: SessionBody) =>
  (await (await fetch(`${world.origin}/api/v1${pathOf(session)}`)).json()) as {
    returnUrl?: string
    logo?: string
    merchant: string
  }
const cancel = (session: SessionBody) => stack.api('POST', `/pos/sessions/${session.id}/cancel`, {})

async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const visitor = await visit(world, options)
  visitors.push(visitor)
  await visitor.page.goto(path)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor.page
}

const widthOf = (page: Page, image: string) =>
  page.evaluate<number>(`(async () => {
    const image = document.querySelector('${image}')
    await image.decode()
    return image.naturalWidth
  })()`)

describe('a returnUrl', () => {
  test('is kept as it was given, and told to the customer only once the session is over', async () => {
    const session = await create()
    expect(session.returnUrl).toBe(shop)
    expect((await stack.session(session.id)).returnUrl).toBe(shop)
    expect(await shown(session)).not.toHaveProperty('returnUrl')
    await cancel(session)
    expect((await shown(session)).returnUrl).toBe(shop)
    expect(await stack.createSession({ amount: '10' })).not.toHaveProperty('returnUrl')
  })

  test.each([
    'javascript:alert(1)',
    'http://shop.example.com/',
    'https://other.example.com/',
    'https://shop.example.com@evil.example/',
    'https://user:password@shop.example.com/',
    'https://shop.example.com:8443/',
    'https://shop.example.com./',
    'https://ѕhop.example.com/',
    'https://shop.example.com\\@evil.example/',
    '',
    7,
  ])('of %j is refused by name, and no session is made', async (returnUrl) => {
    const count = async () => (await stack.db.query('select count(*) from pos_sessions'))[0]
    const before = await count()
    const answer = await stack.api<{ fields?: { field: string }[] }>('POST', '/pos/sessions', {
      chain: 'ethereum',
      token: 'USDC',
      amount: '10',
      returnUrl,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.fields?.map(({ field }) => field)).toEqual(['returnUrl'])
    expect(await count()).toEqual(before)
  })

  test('whose host was taken off the list is not linked to; nor one that was written past the checks', async () => {
    const session = await create()
    await cancel(session)
    await setHosts(['other.example.com'])
    expect(await shown(session)).not.toHaveProperty('returnUrl')
    await setHosts(['shop.example.com'])
    expect((await shown(session)).returnUrl).toBe(shop)
    for (const forged of ['javascript:alert(1)', 'https://evil.example/']) {
      await stack.db.query('update pos_sessions set return_url = $2 where id = $1', [session.id, forged])
      expect(await shown(session)).not.toHaveProperty('returnUrl')
    }
  })

  test('needs a host of the list, which an owner sets; a wrong one is named, and nothing changes', async () => {
    const { status, body } = await setHosts(['shop.example.com', 'https://evil.example/'])
    expect(status).toBe(400)
    expect(body.fields?.map(({ field }) => field)).toEqual(['returnHosts.1'])
    expect((await settings('GET', '/payments')).body.returnHosts).toEqual(['shop.example.com'])
  })

  test('is a link once paid: it leads to the shop, which learns nothing of the session', async () => {
    const session = await create()
    const page = await open(pathOf(session), { answersFail: true })
    const seen: Record<string, string>[] = []
    await page.context().route('https://shop.example.com/**', async (route) => {
      seen.push({ url: route.request().url(), ...(await route.request().allHeaders()) })
      await route.fulfill({ contentType: 'text/html', body: '<h1>Thank you</h1>' })
    })
    const back = page.getByRole('link', { name: /^Back to/ })
    await page.locator('.state').filter({ hasText: 'Waiting' }).waitFor()
    expect(await back.count()).toBe(0)
    await stack.pay(session)
    await stack.mine(2)
    await back.waitFor()
    expect(await back.getAttribute('href')).toBe(shop)
    expect(await back.getAttribute('rel')).toBe('noopener noreferrer')
    // The customer decides when to leave.
    expect(new URL(page.url()).pathname).toBe(pathOf(session))
    await back.click()
    await page.getByText('Thank you').waitFor()
    expect(seen.map(({ url }) => url)).toEqual([shop])
    expect(seen[0]).not.toHaveProperty('referer')
    expect(await page.evaluate('document.referrer + window.opener')).toBe('null')
  })

  test('is a link in each language, also of a session that was cancelled', async () => {
    const session = await create()
    await cancel(session)
    for (const [language, text] of [
      ['en', 'Back to'],
      ['fr', 'Retour à'],
      ['pt', 'Voltar a'],
      ['ar', 'العودة إلى'],
    ] as const) {
      const page = await open(`${pathOf(session)}?lang=${language}`)
      await page.getByRole('link', { name: text }).waitFor()
    }
  })
})

describe('a logo', () => {
  test('is served by the hash of its content: as an image and nothing else, to be cached', async () => {
    const { status, body } = await setLogo(goldenFile('png'))
    expect([status, body.logo]).toEqual([200, expect.stringMatching(/^\/logos\/[\w-]{43}$/)])
    const session = await create()
    expect((await shown(session)).logo).toBe(body.logo)
    const answer = await fetch(`${world.origin}${body.logo}`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'public, max-age=86400, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': 'inline',
    })
    // Without a word of its own, fetch asks caches for nothing.
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    const again = await fetch(`${world.origin}${body.logo}`, { headers })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await fetch(`${world.origin}${body.logo}`, { method: 'POST' })).status).toBe(405)
  })

  test('is found by nothing but its content, and is gone once it is removed', async () => {
    const path = (await setLogo(goldenFile('jpegBaseline'))).body.logo ?? ''
    const other = `${path.slice(0, -1)}${path.endsWith('A') ? 'E' : 'A'}`
    for (const wrong of [`/logos/${stack.businessId}`, '/logos/', '/logos/..%2f', other, `${path}%00`])
      expect((await fetch(`${world.origin}${wrong}`)).status).toBe(404)
    expect((await fetch(`${world.origin}${path}`)).headers.get('content-type')).toBe('image/jpeg')
    expect((await settings('POST', '/logo/remove')).body.logo).toBeNull()
    expect((await fetch(`${world.origin}${path}`)).status).toBe(404)
    expect(await shown(await create())).not.toHaveProperty('logo')
    expect((await settings('POST', '/logo/remove')).status).toBe(200)
  })

  test('of a hostile file is refused by name, and the one before stays; only an owner sets it', async () => {
    const { logo } = (await setLogo(goldenFile('webpLossy'))).body
    for (const [file, why] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'not a PNG'],
      [Buffer.concat([goldenFile('png').subarray(0, 60), Buffer.from('<script>')]), 'damaged'],
      [goldenFile('webpAnimated'), 'animation'],
      ['https://evil.example/a.png', 'base64'],
      ['data:image/png;base64,AAAA', 'base64'],
    ] as const) {
      const { status, body } = await setLogo(file)
      expect([status, body.fields]).toEqual([
        400,
        [expect.objectContaining({ field: 'image', message: expect.stringContaining(why) })],
      ])
    }
    expect((await setLogo(Buffer.alloc(204_801))).status).toBe(400)
    expect((await setLogo(Buffer.alloc(400_000))).status).toBe(413)
    const developer = (await sessionOf(stack, await addMember(stack, stack.businessId, 'developer'))).headers
    expect((await setLogo(goldenFile('png'), developer)).status).toBe(403)
    expect((await settings('GET', '/payments')).body.logo).toBe(logo)
  })

  test('is set and removed in the dashboard, which makes a large picture smaller', async () => {
    await settings('POST', '/logo/remove')
    const as = await addMember(stack, stack.businessId, 'owner')
    const page = await open(`/dashboard/b/${stack.businessId}/settings/payments`, {
      as,
      answersFail: true,
      bypassCSP: true,
    })
    const large = await page.evaluate<string>(`(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 900 })
      const context = canvas.getContext('2d')
      context.fillStyle = '#0a6b4f'
      context.fillRect(0, 0, 3000, 900)
      context.fillStyle = '#fff'
      context.font = 'bold 500px sans-serif'
      context.fillText('Mama Put', 200, 650)
      return canvas.toDataURL('image/png').split(',')[1]
    })()`)
    const field = page.getByLabel('Image')
    await field.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
    await press(page, 'Save logo')
    await page.getByText('The logo is not a PNG, JPEG or WebP').waitFor()
    await field.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') })
    await press(page, 'Save logo')
    await waitForStatus(page, 'The logo is saved.')
    await page.locator('img.logo').waitFor()
    expect(await widthOf(page, 'img.logo')).toBe(512)
    await page.getByLabel('Sites').fill('shop.example.com\nhttps://evil.example/')
    await press(page, 'Save sites')
    await page.getByText('Line 2 must be a host name').waitFor()
    await page.getByLabel('Sites').fill('shop.example.com, www.example.com')
    await press(page, 'Save sites')
    await waitForStatus(page, 'The sites are saved.')
    expect((await settings('GET', '/payments')).body.returnHosts).toEqual([
      'shop.example.com',
      'www.example.com',
    ])
    expect(await examine(page, 'payment settings with a logo')).toEqual([])
    await press(page, 'Remove')
    await press(page.getByRole('dialog'), 'Remove the logo')
    await page.getByText('No logo yet').waitFor()
  })

  test('is on checkout page, receipt and till: readable in light and dark, at 360 px, and no rule is broken', async () => {
    const found: string[] = []
    await setLogo(goldenFile('png'))
    const session = await create()
    const page = await open(pathOf(session), { bypassCSP: true })
    const logo = page.locator('.bar img.logo')
    await logo.waitFor()
    expect(await widthOf(page, '.bar img.logo')).toBe(12)
    found.push(...(await examine(page, 'checkout with a logo')))
    await stack.pay(session)
    await stack.mine(2)
    await page.locator('.receipt').waitFor()
    found.push(...(await examine(page, 'checkout with a way back')))
    await page.emulateMedia({ media: 'print' })
    expect([await logo.isVisible(), await page.locator('.back').isVisible()]).toEqual([true, false])
    const visitor = await visit(world, {
      as: await addMember(stack, stack.businessId, 'cashier'),
      bypassCSP: true,
    })
    visitors.push(visitor)
    await visitor.page.goto('/till')
    await visitor.page.locator('.till-bar img.logo').waitFor()
    found.push(...(await examine(visitor.page, 'till with a logo')))
    expect(found).toEqual([])
  })
})

test('scripts and styles come compressed to who takes that, once and for all alike', async () => {
  const html = await (await fetch(`${world.origin}/checkout/nothing`)).text()
  const files = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? '')
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const plain = await fetch(`${world.origin}${file}`, { headers: { 'accept-encoding': 'identity' } })
    const text = await plain.text()
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const encoding of ['br', 'gzip', 'gzip']) {
      const answer = await fetch(`${world.origin}${file}`, { headers: { 'accept-encoding': encoding } })
      expect(await answer.text()).toBe(text)
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length * 0.7)
      for (const header of ['content-type', 'cache-control', 'vary', 'x-content-type-options'])
        expect(answer.headers.get(header)).toBe(plain.headers.get(header))
      expect(answer.headers.get('content-encoding')).toBe(encoding)
    }
  }
  // Nothing outside of the pages is served.
  const outside = await fetch(`${world.origin}/dashboard/assets/..%2f..%2f..%2fpackage.json`)
  expect([403, 404]).toContain(outside.status)
})

describe('the content-security policy', () => {
  const policy =
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';manifest-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'"

  test.each([
    ['checkout page', '/checkout/nothing'],
    ['dashboard', '/dashboard/businesses'],
    ['till', '/till'],
  ])('of the %s lets it load its own files alone, and no site frame it', async (_name, path) => {
    const answer = await fetch(`${world.origin}${path}`)
    expect(answer.headers.get('content-security-policy')).toBe(policy)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).not.toMatch(/<script>|style=|https?:/)
  })

  test('holds against hostile labels, references and languages: they are text, or ignored', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1">',
      '</script><script>document.title=1</script>',
      'javascript:alert(1)',
      '{{constructor.constructor("document.title=1")()}} {merchant}',
      'W'.repeat(200),
    ]
    for (const label of hostile) {
      const session = await create({ label, reference: label, metadata: { note: label } })
      const page = await open(pathOf(session))
      expect(await page.locator('.label').textContent()).toBe(label)
      expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
      await waitFor('the title', async () => /^Payment to /.test(await page.title()))
      await visitors.pop()?.leave()
    }
    // A change of direction would show another text than is there.
    await expect(create({ label: '\u202emoc.live//:sptth' })).rejects.toThrow('label')
    const session = await create()
    for (const language of ['__proto__', 'constructor', 'xx', '<script>', '../../en', 'ar-<img>', '%00']) {
      const page = await open(`${pathOf(session)}?lang=${encodeURIComponent(language)}`)
      const shownIn = await page.locator('html').getAttribute('lang')
      expect(['en', 'ar']).toContain(shownIn)
      await visitors.pop()?.leave()
    }
  })

  test('was broken nowhere, and no page failed', () => {
    expect(world.recorded.violations).toEqual([])
    expect(world.recorded.errors).toEqual([])
  })
})
