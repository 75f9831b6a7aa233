import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { awayFromMidnight } from '../support/awayFromMidnight.ts'
import { startChromium } from '../support/chromium.ts'
import { someAddress } from '../support/madeRefunds.ts'
import { createStack, demoPassword, type SessionBody } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { examine } from './browser/visits.ts'
import {
  dialog,
  givePassword,
  go,
  heading,
  press,
  settled,
  type Visitor,
  visit,
  type World,
  waitForStatus,
  worldOf,
} from './browser/world.ts'

await awayFromMidnight()

// A merchant's first hour, in a real browser and on a chain of this machine: the dashboard alone is used.

let world: World
let here: Visitor
let page: Page
let session: SessionBody
const reference = `Order-${randomBytes(4).toString('hex')}`

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum'], confirmations: 3 })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  here = await visit(world, { answersFail: true, bypassCSP: true })
  page = here.page
}, 600_000)
afterAll(async () => {
  await here?.leave()
  await world?.close()
})

const at = (path = '') => `/dashboard/b/${world.stack.businessId}/payments${path}`
const state = () => page.locator('.payment-state-title')
const shows = (text: string) => state().filter({ hasText: text }).waitFor()
const read = (id: string) => world.stack.session(id)

test('signs in, and starts a payment: what is wrong is said at its field, and two presses make one', async () => {
  await go(page, '/dashboard/')
  await givePassword(page, demoEmail, demoPassword)
  await page.waitForURL(/\/dashboard\/b\//)
  await go(page, at())
  await page.getByRole('link', { name: 'New payment' }).click()
  await settled(page)
  expect(await heading(page)).toBe('New payment')
  expect(await examine(page, 'new payment')).toEqual([])
  if ((await page.getByLabel('In', { exact: true }).count()) > 0)
    await page.getByLabel('In', { exact: true }).selectOption('token')
  await page.getByLabel('Amount').fill('1,5')
  await press(page, 'Create payment')
  await page.getByText('Enter an amount, such as 25 or 12.50.').waitFor()
  await page.getByLabel('Amount').fill('0.0000001')
  await press(page, 'Create payment')
  await page.locator('.field-error').filter({ hasText: 'Amount' }).waitFor()
  await page.getByLabel('Amount').fill('12.5')
  await page.getByLabel('Reference').fill(reference)
  await page.getByLabel('Label').fill('Table 4 <b>')
  await page.getByRole('button', { name: 'Create payment' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'Payment of 12.5 USDC' }).waitFor()
  const made = await world.stack.db.query('select id from pos_sessions where reference = $1', [reference])
  expect(made).toHaveLength(1)
  session = await read(String(made[0]?.id))
})

test('shows the code, the address and the link at once', async () => {
  await settled(page)
  await shows('Waiting for payment')
  const panel = page.getByRole('region', { name: 'To pay' })
  const text = (await panel.textContent()) ?? ''
  expect(text).toContain(session.address)
  expect(text).toContain(String(session.checkoutUrl))
  await panel.getByRole('img', { name: 'QR code of the address' }).waitFor()
  await press(panel, 'Wallet link')
  await panel.getByText('Some wallets take it for the recipient').waitFor()
  await press(panel, 'Copy address')
  await waitFor(
    'the copied address',
    async () => (await page.evaluate('navigator.clipboard.readText()')) === session.address,
  )
  expect(await page.locator('a', { hasText: 'Block explorer' }).count()).toBe(0)
  expect(await examine(page, 'a payment that waits')).toEqual([])
})

test('sees it paid in parts, without a press', async () => {
  await page.locator('.live', { hasText: 'Live' }).waitFor()
  await world.stack.send(session.address, 5_000_000n)
  await world.stack.mine()
  await shows('Part of it came')
  await page.getByText('7.5 USDC are missing', { exact: false }).waitFor()
  expect(await page.locator('.pay-amount .figure').textContent()).toBe('7.5 USDC')
  expect(await examine(page, 'a payment in part')).toEqual([])
  await world.stack.send(session.address, 7_500_000n)
  await world.stack.mine()
  await shows('Payment seen')
  await world.stack.mine(40)
  await world.stack.caughtUp()
  await shows('Paid')
  await page.getByRole('region', { name: 'Details' }).getByText('Confirmed', { exact: true }).waitFor()
  const happened = await page
    .getByRole('list', { name: 'What happened' })
    .getByRole('listitem')
    .allTextContents()
  expect(happened[0]).toContain('Created')
  expect(happened.at(-1)).toContain('Paid')
  expect(await page.getByRole('region', { name: 'To pay' }).count()).toBe(0)
  expect(await examine(page, 'a payment that is paid')).toEqual([])
})

test('finds it again by a part of its reference, by its transaction, and by its amount', async () => {
  const { payments } = (await read(session.id)) as unknown as { payments: { txId: string }[] }
  const txId = payments[0]?.txId ?? ''
  await go(page, at())
  expect(await examine(page, 'payments')).toEqual([])
  for (const text of [
    reference.slice(4, -1).toUpperCase(),
    txId,
    `${txId.slice(0, 12)}…`,
    '12.50',
    session.address.slice(-6),
  ]) {
    await page.getByLabel('Search', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 shown').waitFor()
    await page.getByRole('link', { name: '12.5 USDC' }).waitFor()
  }
  await page.getByLabel('Time').selectOption('Yesterday')
  await page.getByText('Nothing was found.').waitFor()
  await page.getByLabel('Time').selectOption('Today')
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByLabel('What came').selectOption('Too little came')
  await page.getByText('Nothing was found.').waitFor()
  await press(page, 'Clear')
  await page.getByRole('link', { name: '12.5 USDC' }).waitFor()
  const saving = page.waitForEvent('download')
  await press(page, 'Download CSV')
  const stream = await (await saving).createReadStream()
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const [head, line] = Buffer.concat(chunks).toString().split('\r\n')
  // Spreadsheets read it as UTF-8 by its mark.
  expect(head).toMatch(/^\uFEFFsession,created,reference,/)
  expect(line).toContain(reference)
  expect(line).toContain(txId)
})

test('asks where a payment is, by its transaction', async () => {
  const { payments } = (await read(session.id)) as unknown as { payments: { txId: string }[] }
  await go(page, at('/find'))
  await page.getByLabel('Transaction', { exact: true }).fill('order 7')
  await press(page, 'Look for it')
  await page.getByText('Enter the whole id (hash) of a transaction').waitFor()
  await page.getByLabel('Transaction', { exact: true }).fill(`https://etherscan.io/tx/${payments[0]?.txId}`)
  await press(page, 'Look for it')
  await page.getByRole('heading', { name: 'It arrived, and is credited to you' }).waitFor()
  expect(await examine(page, 'where is my payment')).toEqual([])
  await page.getByLabel('Transaction', { exact: true }).fill(`0x${'ab'.repeat(32)}`)
  await press(page, 'Look for it')
  await page.getByRole('heading', { name: 'No network that is read here knows it' }).waitFor()
})

test('refunds it, and sees the refund', async () => {
  await go(page, at(`/${session.id}`))
  await press(page, 'Refund')
  const form = await dialog(page, 'Refund this payment')
  await form.getByLabel('Address on Ethereum').fill(someAddress())
  await press(form, 'Continue')
  await press(await dialog(page, 'Refund this?'), 'Refund')
  await waitForStatus(page, 'The refund of 12.5 USDC is created.')
  await page.getByRole('table', { name: 'Refunds' }).getByRole('row', { name: '12.5 USDC' }).waitFor()
})

test('cancels a payment after a question, by the keyboard', async () => {
  const open = await world.stack.createSession({ amount: '3' })
  await go(page, at(`/${open.id}`))
  await page.getByRole('button', { name: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Cancel payment' }).waitFor()
  await page.keyboard.press('Enter')
  const ask = await dialog(page, 'Cancel this payment?')
  expect(await examine(page, 'cancel a payment')).toEqual([])
  await ask.getByRole('button', { name: 'Cancel payment' }).focus()
  await page.keyboard.press('Enter')
  await waitForStatus(page, 'The payment is cancelled.')
  await shows('Cancelled')
  expect((await read(open.id)).status).toBe('cancelled')
})
