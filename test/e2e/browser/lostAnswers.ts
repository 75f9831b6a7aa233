import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { press } from './world.ts'

/** As often as the dashboard sends a request that has a key. */
const attempts = 3

/**
 * Loses the answers of the next POSTs, which are carried out; the key of each is kept. An estimate, a balance
 * and a check create nothing and have no key.
 */
const lose = `{
  const real = window.fetch
  let left = ${attempts}
  window.sentKeys = []
  window.fetch = async (input, init) => {
    const answer = await real(input, init)
    if (init?.method !== 'POST' || /\\/(estimate|balance|payout-batch-checks)$/.test(String(input))) return answer
    window.sentKeys.push(new Headers(init.headers).get('idempotency-key'))
    if (left-- > 0) throw new TypeError('Failed to fetch')
    return answer
  }
}`

/**
 * Confirms in a dialog whose answers are lost, goes back to the form, sends the same once more and gets the
 * answer of the first request.
 * @param what as the message calls it
 */
export async function pressTwice(
  page: Page,
  confirm: Locator,
  form: Locator,
  verb: string,
  what: string,
): Promise<void> {
  await page.evaluate(lose)
  await confirm.getByRole('button', { name: verb, exact: true }).dblclick()
  await confirm.getByRole('alert').getByText(`Press again: the ${what} is created once`).waitFor()
  await press(confirm, 'Cancel')
  await press(form, 'Continue')
  await press(confirm, verb)
  await confirm.waitFor({ state: 'detached' })
  await expectOneKey(page)
}

/**
 * The same in a page's form, which is left by its answer.
 * @param between happens after the loss, and leads to the same form
 */
export async function pressAgain(
  page: Page,
  verb: string,
  what: string,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  await page.evaluate(lose)
  const button = page.getByRole('button', { name: verb, exact: true })
  await button.dblclick()
  await page.getByRole('alert').getByText(`Press again: the ${what} is created once`).waitFor()
  await between()
  await button.click()
  await button.waitFor({ state: 'detached' })
  await expectOneKey(page)
}

async function expectOneKey(page: Page): Promise<void> {
  const keys = await page.evaluate<string[]>('window.sentKeys')
  expect(keys).toEqual(Array(attempts + 1).fill(keys[0]))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
}
