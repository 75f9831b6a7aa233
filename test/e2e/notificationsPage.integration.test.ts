import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { unsubscribeToken } from '../../src/notifications/unsubscribeToken.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { startChromium } from '../support/chromium.ts'
import { addMember, type Person } from '../support/dashboardSession.ts'
import { createStack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { tabTo } from './browser/keyboard.ts'
import { examine } from './browser/visits.ts'
import { visit, type World, worldOf } from './browser/world.ts'

// Choosing mails about events in the dashboard, and stopping them by the link of a mail.

let world: World
let viewer: Person

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ processes: ['api'], env: { MAIL_FROM: 'pay@example.com' } })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  viewer = await addMember(stack, stack.businessId, 'viewer')
})
afterAll(() => world?.close())

const kindsOf = async () =>
  (
    await world.stack.db.query<{ kind: string }>(
      'select kind from notification_choices where account_id = $1 and wanted order by kind',
      [viewer.id],
    )
  ).map(({ kind }) => kind)

test('a viewer chooses by keyboard, finds the choice again, and stops a kind by the button of a link', async () => {
  const { stack } = world
  const { page, leave } = await visit(world, { as: viewer, bypassCSP: true })
  await page.goto(`/dashboard/b/${stack.businessId}/settings/business`)
  await page.getByRole('group', { name: `Mail ${viewer.email} when` }).waitFor()
  await page.getByText('Confirm your address first').waitFor()
  await tabTo(page, 'A payment is paid')
  await page.keyboard.press('Space')
  await tabTo(page, 'A webhook endpoint fails')
  await page.keyboard.press('Space')
  await tabTo(page, 'Save notifications')
  await page.keyboard.press('Enter')
  await page.getByText('Your notifications are saved.').waitFor()
  expect(await kindsOf()).toEqual(['endpoint_failing', 'paid'])
  await stack.db.query('update accounts set email_proven_at = now() where id = $1', [viewer.id])
  await page.reload()
  const chosen = page.getByRole('checkbox', { checked: true })
  await chosen.first().waitFor()
  expect(await chosen.evaluateAll((boxes) => boxes.map((box) => (box as { value?: string }).value))).toEqual([
    'paid',
    'endpoint_failing',
  ])
  expect(await page.getByText('Confirm your address first').count()).toBe(0)
  expect(await examine(page, 'notifications')).toEqual([])

  const choice = { businessId: stack.businessId, accountId: viewer.id, kind: 'paid' as const }
  const link = `/unsubscribe/${unsubscribeToken(new Secret(appKey), choice)}`
  await page.goto(link)
  expect(await examine(page, 'unsubscribe')).toEqual([])
  expect(await kindsOf()).toEqual(['endpoint_failing', 'paid'])
  await page.goto(link)
  await tabTo(page, 'Stop these mails')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You get no more of these mails' }).waitFor()
  await waitFor('the end of the kind', async () => (await kindsOf()).length === 1)
  expect(await kindsOf()).toEqual(['endpoint_failing'])
  expect(await examine(page, 'unsubscribed')).toEqual([])
  await leave()
  expect([world.recorded.errors, world.recorded.violations]).toEqual([[], []])
})
