import type { Page } from 'playwright-core'
import { waitFor } from '../../support/waitFor.ts'
import type { World } from './world.ts'

/** Injects a script and a handler into the page. @returns whether one ran */
export async function runsInjected(page: Page): Promise<boolean> {
  await page.evaluate(`(() => {
    const script = document.createElement('script')
    script.textContent = 'window.injected = true'
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', '<img src="/missing" onerror="window.injected = true">')
  })()`)
  await waitFor('the missing image', () => page.evaluate<boolean>('document.images[0].complete'))
  return page.evaluate<boolean>('window.injected === true')
}

const signOutOf = ({ origin }: World) => `${origin}/dashboard/api/sign-out`

/** @returns the status of a same-origin request without the dashboard's header */
export async function signOutWithoutHeader(world: World, page: Page): Promise<number> {
  await page.goto(`${world.origin}/openapi.json`)
  return page.evaluate<number>(
    `fetch('${signOutOf(world)}', { method: 'POST' }).then(({ status }) => status)`,
  )
}

/** @returns the status of a form that another site sends */
export async function signOutFromElsewhere(world: World, page: Page): Promise<number> {
  // To a browser `localhost` is another site than 127.0.0.1.
  await page.goto(`${world.origin.replace('127.0.0.1', 'localhost')}/openapi.json`)
  const answered = page.waitForResponse(signOutOf(world))
  await page.evaluate(`(() => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '${signOutOf(world)}' })
    document.documentElement.append(form)
    form.submit()
  })()`)
  const status = (await answered).status()
  await page.waitForURL(signOutOf(world))
  return status
}
