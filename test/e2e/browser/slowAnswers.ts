import type { Page } from 'playwright-core'

/**
 * Delays the answers to GETs of these addresses by half a second: who acts as soon as the page reports
 * something acts on what the page shows by then. @returns what ends it
 */
export async function slowAnswers(page: Page, addresses: string | RegExp): Promise<() => Promise<void>> {
  await page.route(addresses, async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  return () => page.unroute(addresses)
}

/**
 * Holds the next answer to a GET of this address, which is as old as this. @returns what lets it go, and
 * resolves when the page has it or has dropped the request
 */
export async function heldAnswer(page: Page, address: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      await gate.promise
      // Refused where the page has dropped the request.
      await route.fulfill({ response }).catch(() => {})
    },
    { times: 1 },
  )
  const requested = page.waitForRequest(address)
  return async () => {
    const over = (await requested).response()
    gate.resolve()
    await over
  }
}
