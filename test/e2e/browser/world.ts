import { expect } from '@jest/globals'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { sessionCookie } from '../../../api/dashboard-api/cookies.ts'
import { buildDashboard } from '../../../scripts/local/buildDashboard.ts'
import { startChromium } from '../../support/chromium.ts'
import { type Person, sessionOf } from '../../support/dashboardSession.ts'
import { fundBridge } from '../../support/madeBridge.ts'
import { createStack, type Stack } from '../../support/stack.ts'
import { waitFor } from '../../support/waitFor.ts'

/** One Cowry and one browser for the whole suite. */
export interface World {
  stack: Stack
  chromium: Browser
  origin: string
  recorded: BrowserRecord
  /**
   * Values that a page may show or a body may carry, but that must be nowhere in addresses, storage or
   * consoles.
   */
  secrets: Set<string>
  close(): Promise<void>
}

/** Requests, stored values and logs of all pages of the suite. */
export interface BrowserRecord {
  /** Uncaught errors, and errors of the console. */
  errors: string[]
  consoleTexts: string[]
  /** Requested addresses, as servers see them. */
  urls: string[]
  stored: string[]
  violations: string[]
}

export interface Visitor {
  context: BrowserContext
  page: Page
  /** Records what was stored, and closes the browser's window. */
  leave(): Promise<void>
}

export interface VisitOptions
  extends Pick<
    BrowserContextOptions,
    'bypassCSP' | 'deviceScaleFactor' | 'hasTouch' | 'timezoneId' | 'viewport'
  > {
  /** Signed in as this person from the start. */
  as?: Person
  /** Leaves out of `recorded.errors` the browser's own errors about answers that a test makes fail. */
  answersFail?: boolean
}

export async function createWorld(): Promise<World> {
  const started = Promise.all([
    buildDashboard().then(() =>
      createStack({
        chains: ['ethereum', 'base'],
        bridge: true,
        processes: ['api'],
        env: { MAIL_FROM: 'pay@example.com' },
      }),
    ),
    startChromium(),
  ])
  const [stack, chromium] = await started
  await fundBridge(stack)
  return worldOf(stack, chromium)
}

/** A world of a Cowry and a browser that the suite has started. */
export const worldOf = (stack: Stack, chromium: Browser): World => ({
  stack,
  chromium,
  origin: `http://127.0.0.1:${stack.processes.get('api')?.port()}`,
  recorded: { errors: [], consoleTexts: [], urls: [], stored: [], violations: [] },
  secrets: new Set(),
  close: async () => void (await Promise.all([chromium.close(), stack.close()])),
})

export async function visit(
  world: World,
  { as, answersFail = false, ...options }: VisitOptions = {},
): Promise<Visitor> {
  const context = await world.chromium.newContext({
    baseURL: world.origin,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(90_000)
  if (as) await signInWithCookie(world, context, as)
  await context.exposeBinding(
    'noteViolation',
    (_source, violation: string) => void world.recorded.violations.push(violation),
  )
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => noteViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + location.pathname))`,
  )
  context.on(
    'request',
    (request) => void world.recorded.urls.push(`${request.method()} ${request.url().split('#')[0]}`),
  )
  context.on('weberror', (thrown) => void world.recorded.errors.push(`${thrown.error()}`))
  context.on('console', (message) => {
    const { url } = message.location()
    world.recorded.consoleTexts.push(message.text())
    if (message.type() === 'error' && !isExpected(message.text(), url, answersFail))
      world.recorded.errors.push(`${url}: ${message.text()}`)
  })
  const page = await context.newPage()
  return {
    context,
    page,
    async leave() {
      const seen = context.pages().filter((each) => each.url() !== 'about:blank')
      for (const each of seen) world.recorded.stored.push(await storedIn(each))
      await context.close()
    },
  }
}

export async function signInWithCookie(world: World, context: BrowserContext, person: Person): Promise<void> {
  const { headers } = await sessionOf(world.stack, person)
  const value = headers.cookie?.slice(sessionCookie.length + 1) ?? ''
  world.secrets.add(value)
  // The prefix of the cookie's name requests https; browsers treat this machine as secure without TLS.
  await context.addCookies([
    {
      name: sessionCookie,
      value,
      url: 'https://127.0.0.1',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
}

/** The browser logs every refused request, which is no error where a refusal is the right answer. */
function isExpected(text: string, url: string, answersFail: boolean): boolean {
  if (!text.startsWith('Failed to load resource')) return false
  return answersFail || (/status of 40[013]/.test(text) && /\/dashboard\/api\/(me|sign-in)/.test(url))
}

const storedIn = (page: Page): Promise<string> =>
  page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])',
  )

/**
 * The page waits for this by itself: each query from here costs more than the page's own work. Playwright's
 * own wait uses eval, which the pages forbid.
 */
const hasSettled = `new Promise((resolve) => {
  const is = () => !!document.querySelector('h1') && !document.querySelector('.loading') &&
    document.getAnimations().every((each) => each.playState !== 'running')
  if (is()) return resolve(true)
  const end = (answer) => {
    observer.disconnect()
    clearInterval(timer)
    resolve(answer)
  }
  const check = () => is() && end(true)
  const observer = new MutationObserver(check)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  // The end of an animation changes no element.
  const timer = setInterval(check, 50)
  setTimeout(() => end(is()), 10_000)
})`

/** Waits until the page shows its heading and loads nothing. */
export async function settled(page: Page): Promise<void> {
  await waitFor('a page that has loaded', () => page.evaluate<boolean>(hasSettled))
}

export async function go(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await settled(page)
}

/**
 * Navigates as a link of the dashboard does, without a reload; the previous page is unmounted, even at the
 * same address.
 */
export async function follow(page: Page, address: string): Promise<void> {
  await startFollowing(page, address)
  await settled(page)
}

/** The same, without waiting until the page has its data. */
export async function startFollowing(page: Page, address: string): Promise<void> {
  await page.evaluate(`(async () => {
    for (const address of ['/dashboard/no/such/page', '${address}']) {
      history.pushState(null, '', address)
      await new Promise((resolve) => setTimeout(resolve))
    }
  })()`)
}

export const heading = async (page: Page): Promise<string> =>
  (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''

/** Waits until the page shows this status. */
export const waitForStatus = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()

/** Waits for a dialog by its title. */
export async function dialog(page: Page, title: string | RegExp) {
  const found = page.getByRole('dialog', { name: title })
  await found.waitFor()
  return found
}

export async function press(within: Pick<Page, 'getByRole'>, name: string): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click()
}

/** Chooses in the menu of what is seldom done, or dangerous. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name, exact: true }).click()
}

export async function expectHidden(page: Page, text: string): Promise<void> {
  expect(await page.content()).not.toContain(text)
}

/** Signs in by the form, as far as the password. */
export async function givePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}
