import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { newId } from '../../src/platform/ids.ts'
import { startChromium } from '../support/chromium.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { giveBalance } from '../support/madePayout.ts'
import { createStack } from '../support/stack.ts'
import { tabTo } from './browser/keyboard.ts'
import { pressAgain } from './browser/lostAnswers.ts'
import { examine } from './browser/visits.ts'
import {
  go,
  press,
  settled,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

// Payouts of a CSV file in a real browser: refused with all mistakes, checked, sent, and decided at once.

let world: World
let businessId: string
let first: Person
let second: Person
let saved: string
const visitors: Visitor[] = []

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum', 'base'], processes: ['api'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  first = await addPerson(stack)
  second = await addPerson(stack)
  businessId = await addBusiness(stack, first)
  await addMember(stack, businessId, 'owner', second)
  await giveBalance(stack.db, businessId, { chain: 'ethereum', token: 'USDC' }, 1_000_000_000n)
  saved = await makeDestination(stack.db, businessId)
  const { headers } = await sessionOf(stack, first)
  const set = { coolingOffHours: 24, approvalAbove: '50' }
  const { status } = await dashboard(stack, 'PUT', `/businesses/${businessId}/payout-settings`, set, headers)
  expect(status).toBe(200)
}, 600_000)
afterAll(async () => {
  for (const visitor of visitors) await visitor.leave()
  await world?.close()
})

async function pageOf(as: Person): Promise<Page> {
  const visitor = await visit(world, { as, answersFail: true, bypassCSP: true })
  visitors.push(visitor)
  return visitor.page
}
const heads = 'amount,chain,token,destination_id,reference'

test('all mistakes of a file are shown by line before anything is sent; hostile cells stay text', async () => {
  const page = await pageOf(first)
  await go(page, `/dashboard/b/${businessId}/payouts`)
  await page.getByRole('link', { name: 'Pay many' }).click()
  await settled(page)
  const lines = page.getByLabel('Or paste its lines')
  await lines.fill(`${heads}\n"1,5",ethereum,USDC,${saved},a\n1,ethereum,DOGE,${saved},b`)
  await press(page, 'Check the file')
  const mistakes = page.getByRole('table', { name: 'Mistakes' })
  await mistakes.getByText('May mean 15 or 1.5: write it with a point, and without a comma.').waitFor()
  await mistakes.getByText('Is no token of Cowry.').waitFor()
  const hostile = '<img src=x onerror=alert(1)>'
  await lines.fill(
    `${heads}\n1,ethereum,USDC,${saved},=1+1\n1,ethereum,USDC,${hostile},b\n5000,ethereum,USDC,${saved},=1+1`,
  )
  await press(page, 'Check the file')
  await mistakes.getByText('Is not the id of a saved destination.').waitFor()
  await mistakes.getByText('Line 2 has it already.').waitFor()
  await mistakes.getByText(/Take 5001 USDC on ethereum together, and 1000 are available/).waitFor()
  expect(await examine(page, 'pay many, mistakes')).toEqual([])
  const cut = page.getByText('There may be more.')
  expect(await cut.count()).toBe(0)
  await lines.fill(
    [heads, ...Array.from({ length: 51 }, (_, at) => `1,ethereum,USDC,${hostile},${at}`)].join('\n'),
  )
  await press(page, 'Check the file')
  await cut.waitFor()
  expect(await mistakes.getByRole('row').count()).toBe(51)
})

test('a file in another encoding is refused; what is saved under the same name again is read', async () => {
  const page = await pageOf(first)
  await go(page, `/dashboard/b/${businessId}/payouts/many`)
  const choose = async (encoding: 'latin1' | 'utf8') => {
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'crew.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${heads}\n1,ethereum,USDC,${saved},Zoë\n`, encoding),
    })
  }
  await choose('latin1')
  await page.getByRole('table', { name: 'Mistakes' }).getByText('Save it as CSV UTF-8').waitFor()
  expect(await page.getByLabel('Or paste its lines').inputValue()).toBe('')
  expect(await page.evaluate(`document.querySelector('input[type=file]').value`)).toBe('')
  expect(await examine(page, 'pay many, encoding')).toEqual([])
  await choose('utf8')
  await page.getByText('Read: crew.csv').waitFor()
  expect(await page.getByLabel('Or paste its lines').inputValue()).toContain('Zoë')
  await page.getByRole('table', { name: 'Mistakes' }).waitFor({ state: 'detached' })
})

test('a checked file is sent with the keyboard, is decided at once by another owner, and can be saved', async () => {
  const page = await pageOf(first)
  await go(page, `/dashboard/b/${businessId}/payouts/many`)
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'wages.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `\ufeff${heads.replaceAll(',', ';')}\r\n40.5;ethereum;USDC;${saved};=HYPERLINK("x")\r\n30;ethereum;USDC;${saved};ben\r\n`,
    ),
  })
  await tabTo(page, 'Check the file')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pay this out?' }).waitFor()
  await page.getByText('It waits until a second owner approves it: one decision for all.').waitFor()
  await page.getByText('70.5 USDC on Ethereum').waitFor()
  expect(await examine(page, 'pay many, checked')).toEqual([])
  await tabTo(page, 'Pay 2 payouts')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Batch of 2 payouts' }).waitFor()
  await waitForStatus(page, 'The batch is created. A second owner has to approve it.')
  await settled(page)
  expect(await examine(page, 'payout batch')).toEqual([])

  const other = await pageOf(second)
  const payouts = /\/payouts\?.*batchId=/
  await other.route(payouts, (route) => route.abort())
  await go(other, `/dashboard/b/${businessId}/approvals`)
  await other
    .getByRole('row', { name: /Batch of 2 payouts/ })
    .getByRole('alert')
    .waitFor()
  await other.unroute(payouts)
  await press(other, 'Try again')
  await other.getByText('70.5 USDC on Ethereum; to 1 destination', { exact: true }).waitFor()
  await other.getByText(/^1\. 40\.5 USDC to/).waitFor()
  expect(await examine(other, 'approvals with a batch')).toEqual([])
  await press(other, 'Approve')
  await press(other, 'Approve batch of payouts')
  await waitForStatus(other, 'The batch is approved. Its payouts are sent now.')
  // The page of the batch looks again by itself.
  await page.getByText('Waiting to be sent: 2').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as CSV')])
  const text = await new Response((await file.createReadStream()) as never).text()
  expect(text.split('\r\n')).toHaveLength(4)
  expect(text).toContain(`"'=HYPERLINK(""x"")"`)
  await go(page, `/dashboard/b/${businessId}/payouts/batches`)
  await page.getByRole('table', { name: 'Payout batches' }).getByText('2 payouts').waitFor()
  expect(await examine(page, 'payout batches')).toEqual([])
})

test('a file whose answer was lost is paid once, though it is chosen, checked and paid again', async () => {
  const page = await pageOf(first)
  await go(page, `/dashboard/b/${businessId}/payouts/many`)
  const checkFile = async () => {
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'bonus.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${heads}\n7.25,ethereum,USDC,${saved},\n`),
    })
    await page.getByLabel('Reference').fill('Bonus')
    await press(page, 'Check the file')
    await page.getByRole('heading', { name: 'Pay this out?' }).waitFor()
  }
  await checkFile()
  await pressAgain(page, 'Pay 1 payout', 'batch', checkFile)
  await page.getByRole('heading', { name: 'Batch of 1 payout' }).waitFor()
  const batches = await world.stack.db.query(
    "select 1 from payout_batches where business_id = $1 and reference = 'Bonus'",
    [businessId],
  )
  expect(batches).toHaveLength(1)
})

test('pages of payouts that were opened stay, while the batch is loaded again by itself', async () => {
  const { headers } = await sessionOf(world.stack, first)
  const payouts = Array.from({ length: 25 }, () => ({
    amount: '3',
    source: { chain: 'ethereum', token: 'USDC' },
    destination: { id: saved },
  }))
  const path = `/businesses/${businessId}`
  const created = await dashboard<{ id: string }>(
    world.stack,
    'POST',
    `${path}/payout-batches`,
    { payouts },
    { ...headers, 'idempotency-key': newId() },
  )
  expect(created.status).toBe(201)
  const page = await pageOf(first)
  await go(page, `/dashboard/b/${businessId}/payouts/batches/${created.body.id}`)
  const rows = page.getByRole('table', { name: 'Payouts' }).getByRole('row')
  await press(page, 'Show more')
  await page.getByText('25 of 25 shown').waitFor()
  const [payout] = await world.stack.db.query<{ id: string }>(
    'select id from outflows where batch_id = $1 limit 1',
    [created.body.id],
  )
  const cancelled = await dashboard(world.stack, 'POST', `${path}/payouts/${payout?.id}/cancel`, {}, headers)
  expect(cancelled.status).toBe(200)
  await page.getByText('Cancelled: 1').waitFor()
  expect(await rows.count()).toBe(26)
  await press(page, 'Refresh')
  await page.getByText('20 of 25 shown').waitFor()
})
