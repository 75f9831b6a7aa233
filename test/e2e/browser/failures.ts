import { expect } from '@jest/globals'
import type { Page, Route } from 'playwright-core'
import { waitFor } from '../../support/waitFor.ts'
import { press, settled, startFollowing } from './world.ts'

/** Selects requests to the dashboard's API, by the path after its base. */
export type Asked = (path: string) => boolean

export const whoIsSignedIn: Asked = (path) => path === '/me'
export const theBusiness: Asked = (path) => /^\/businesses\/[^/]+$/.test(path)
/** The first requests of every page fail in tests of their own. */
export const dataOfPage: Asked = (path) => !whoIsSignedIn(path) && !theBusiness(path)

const broken = {
  status: 500,
  json: { error: 'Something broke', code: 'internal_error', requestId: 'request-of-a-test' },
}

/** Shortens the pauses between the client's attempts. Its timeout for an answer stays. */
export const shortenPauses = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const real = window.setTimeout
    window.setTimeout = (work, ms = 0, ...given) => real(work, ms < 10_000 ? ms / 50 : ms, ...given)
  }`)

/**
 * Makes a page wait for its data, then fail, then be unreachable, and then recover by "Try again". @returns
 * whether the page requests anything at all
 */
export async function failAndRecover(
  page: Page,
  address: string,
  asked: Asked = dataOfPage,
): Promise<boolean> {
  const held: Route[] = []
  let answer = (route: Route): unknown => held.push(route)
  const own = '/dashboard/api'
  const matches = (url: URL) => url.pathname.startsWith(`${own}/`) && asked(url.pathname.slice(own.length))
  await page.route(matches, (route) => void answer(route))
  if (asked === whoIsSignedIn) await page.goto(address)
  else await startFollowing(page, address)
  const shown = `!!document.querySelector('h1:not(.unseen)') && !document.querySelector('.loading')`
  await waitFor(
    'a page that loads, or has nothing to load',
    async () => held.length > 0 || page.evaluate<boolean>(shown),
  )
  if (held.length === 0) {
    await page.unroute(matches)
    return false
  }
  await page.getByRole('status').filter({ hasText: 'Loading…' }).first().waitFor()
  answer = (route) => route.fulfill(broken)
  await Promise.all(held.map((route) => route.fulfill(broken)))
  await settled(page)
  await expectAlerts(page, address, /Something broke\.[\s\S]*request-of-a-test/)
  answer = (route) => route.abort()
  await tryAgain(page)
  await expectAlerts(page, address, /Cowry cannot be reached\./)
  answer = (route) => route.continue()
  await tryAgain(page)
  await expectAlerts(page, address)
  await page.unroute(matches)
  return true
}

/** Waits until there is an alert and every one matches; without a pattern, until no alert is shown. */
async function expectAlerts(page: Page, address: string, pattern?: RegExp): Promise<void> {
  await waitFor(`${address} to say ${pattern ?? 'no error'}`, async () => {
    const alerts = await page.getByRole('alert').allTextContents()
    if (alerts.length > 0 === (pattern !== undefined) && alerts.every((alert) => pattern?.test(alert)))
      return true
    throw new Error(`it says ${JSON.stringify(alerts)}`)
  })
}

/** Presses each "Try again" once, and waits for the outcome. */
async function tryAgain(page: Page): Promise<void> {
  const count = await page.getByRole('button', { name: 'Try again' }).count()
  expect(count).toBeGreaterThan(0)
  for (let left = count; left > 0; left--) {
    const buttons = page.getByRole('button', { name: 'Try again' })
    if ((await buttons.count()) === 0) return
    await buttons.nth(left - 1).click()
    await settled(page)
  }
}

/** Signs in again after the session has ended; the page that was requested opens. */
export async function signInAgain(page: Page, link: string, email: string, password: string): Promise<void> {
  await page.context().clearCookies()
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.waitForURL('**/dashboard/sign-in?return=*')
  await settled(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
  await page.getByRole('heading', { level: 1, name: link }).waitFor()
  await settled(page)
}
