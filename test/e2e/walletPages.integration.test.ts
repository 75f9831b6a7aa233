import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../scripts/local/buildDashboard.ts'
import { startChromium } from '../support/chromium.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { someAddress } from '../support/madeRefunds.ts'
import { fund } from '../support/payers.ts'
import { createStack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { focusIsOn } from './browser/keyboard.ts'
import { pressTwice } from './browser/lostAnswers.ts'
import { examine } from './browser/visits.ts'
import {
  chooseAction,
  dialog,
  expectHidden,
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

// Wallets and transfers by the dashboard alone, in a real browser and on a chain of this machine.

let world: World
let owner: Person
let second: Person
let businessId: string
let here: Visitor
let page: Page
/** The wallet that is made first. */
let wallet: { id: string; address: string }

beforeAll(async () => {
  const [stack, chromium] = await Promise.all([
    buildDashboard().then(() => createStack({ chains: ['ethereum'] })),
    startChromium(),
  ])
  world = worldOf(stack, chromium)
  owner = await addPerson(stack)
  businessId = await addBusiness(stack, owner)
  second = await addMember(stack, businessId, 'owner')
  here = await visit(world, { as: owner, answersFail: true, bypassCSP: true })
  page = here.page
}, 600_000)
afterAll(async () => {
  await here?.leave()
  await world?.close()
})

const at = (path = '') => `/dashboard/b/${businessId}${path}`
const shows = (text: string, on = page) =>
  on.locator('.payment-state-title').filter({ hasText: text }).waitFor()

async function ask<T = Record<string, unknown>>(
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  const { headers } = await sessionOf(world.stack, person)
  return dashboard<T>(world.stack, method, `/businesses/${businessId}${path}`, body, headers)
}

interface Listed {
  transfers: { id: string; status: string; amount: string; txHash: string | null; fromAddress: string }[]
  wallets: { id: string; address: string; name: string | null }[]
  total: number
}
const transfers = async (query = '') => (await ask<Listed>(owner, 'GET', `/crypto/transfers${query}`)).body

/** Lets the chain go on until a transfer has ended. */
const ended = (id: string) =>
  waitFor('the end of the transfer', async () => {
    await world.stack.mine()
    const { body } = await ask<{ status: string }>(owner, 'GET', `/crypto/transfers/${id}`)
    return body.status !== 'pending'
  })

async function openForm(): Promise<void> {
  await go(page, at(`/wallets/${wallet.id}`))
  await press(page, 'Send')
  await settled(page)
}

test('without a wallet both pages say what to do next', async () => {
  await go(page, at('/transfers'))
  await page.getByText('There is no transfer yet.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'wallets', exact: true }).click()
  await page.getByText('There is no wallet yet.').waitFor()
  expect(await heading(page)).toBe('Wallets')
  expect(await examine(page, 'no wallet')).toEqual([])
})

test('makes a wallet: its phrase is seen once and stored with it, also where the answer is lost', async () => {
  await go(page, at('/wallets'))
  await press(page, 'New wallet')
  const form = await dialog(page, 'New wallet')
  await form.getByLabel('Label').fill('Suppliers')
  await press(form, 'Continue')
  const shown = await dialog(page, 'Write down its recovery phrase')
  const words = await shown.getByRole('listitem').allInnerTexts()
  expect(words.length).toBeGreaterThanOrEqual(12)
  world.secrets.add(words.join(' '))
  expect(await examine(page, 'recovery phrase')).toEqual([])
  await press(shown, 'Store wallet')
  await shown.getByText('Write the phrase down first, then tick the box.').waitFor()
  expect((await ask<Listed>(owner, 'GET', '/crypto/wallets')).body.total).toBe(0)
  await shown.getByLabel('I have written the phrase down').check()
  // The request arrives; its answer, and those of the client's own repetitions, do not.
  await page.evaluate(`{
    const real = window.fetch
    let left = 1
    window.fetch = async (input, init) => {
      const answer = await real(input, init)
      if (init?.method === 'POST' && left-- > 0) throw new TypeError('Failed to fetch')
      return answer
    }
  }`)
  await press(shown, 'Store wallet')
  await shown.getByRole('alert').waitFor()
  await press(shown, 'Store wallet')
  await page.getByRole('heading', { level: 1, name: 'Suppliers' }).waitFor()
  const { wallets } = (await ask<Listed>(owner, 'GET', '/crypto/wallets')).body
  expect(wallets.map(({ name }) => name)).toEqual(['Suppliers'])
  wallet = { id: String(wallets[0]?.id), address: String(wallets[0]?.address) }
  await page.reload()
  await settled(page)
  await expectHidden(page, words.join(' '))
})

test('shows where to send to, and what the address holds, coin and tokens', async () => {
  await page.getByText('Nothing was sent from it yet.').waitFor()
  const panel = page.getByRole('region', { name: 'Address' })
  await panel.getByRole('img', { name: 'QR code of the address' }).waitFor()
  await press(panel, 'Copy address')
  await waitFor(
    'the copied address',
    async () => (await page.evaluate('navigator.clipboard.readText()')) === wallet.address,
  )
  await fund(
    world.stack,
    { chain: 'ethereum', address: wallet.address, privateKey: '' },
    { native: '2', USDC: '500' },
  )
  await world.stack.mine()
  await press(page, 'Refresh')
  const balance = page.getByRole('table', { name: 'Balance' })
  await balance.getByText('500 USDC').waitFor()
  await balance.getByText('2 ETH').waitFor()
  expect(await examine(page, 'wallet')).toEqual([])
})

test('sends what it confirmed, once, though it pressed twice and the answer was lost; sees it sent', async () => {
  const to = someAddress()
  await openForm()
  const form = await dialog(page, 'Send')
  await form.getByLabel('To address').fill('somebody')
  await form.getByLabel('Amount').fill('1,5')
  await press(form, 'Continue')
  await form.getByText('Enter an amount, such as 25 or 12.50.').waitFor()
  await form.getByLabel('Amount').fill('120')
  await press(form, 'Continue')
  await form.locator('.field-error').filter({ hasText: 'address' }).waitFor()
  await form.getByLabel('To address').fill(to)
  expect(await examine(page, 'send')).toEqual([])
  await press(form, 'Continue')
  const confirm = await dialog(page, 'Send this?')
  const text = (await confirm.textContent()) ?? ''
  for (const part of ['120 USDC', to, 'Ethereum', 'Network fee']) expect(text).toContain(part)
  expect(await examine(page, 'send this')).toEqual([])
  await pressTwice(page, confirm, form, 'Send', 'transfer')
  await page.getByRole('heading', { level: 1, name: 'Transfer of 120 USDC' }).waitFor()
  const { transfers: all } = await transfers()
  expect(all.map(({ amount }) => amount)).toEqual(['120'])
  await ended(String(all[0]?.id))
  // Without a press.
  await shows('Sent')
  await page
    .getByRole('list', { name: 'What happened' })
    .getByText(/^Sent, in block/)
    .waitFor()
  expect(await examine(page, 'transfer')).toEqual([])
})

test('sends all of the native coin: what is left pays the fee', async () => {
  await openForm()
  const form = await dialog(page, 'Send')
  await form.getByLabel('To address').fill(someAddress())
  await form.getByLabel('Coin or token').selectOption('native')
  await form.getByLabel('All of it').check()
  expect(await form.getByLabel('Amount').isDisabled()).toBe(true)
  await press(form, 'Continue')
  await press(await dialog(page, 'Send this?'), 'Send')
  await page.getByRole('heading', { level: 1, name: /^Transfer of 1\.9\d+ ETH$/ }).waitFor()
  const [sent] = (await transfers('?token=native')).transfers
  await ended(String(sent?.id))
  expect((await ask(owner, 'GET', `/crypto/transfers/${sent?.id}`)).body).toMatchObject({
    status: 'confirmed',
    reason: null,
    message: null,
  })
  await shows('Sent')
  await fund(world.stack, { chain: 'ethereum', address: wallet.address, privateKey: '' }, { native: '2' })
})

describe('over the limit of the wallet', () => {
  const limits = [
    { chain: 'ethereum', token: 'usdc', perTransfer: '200', perDay: null, approvalAbove: '50' },
    { chain: 'ethereum', token: 'native', perTransfer: null, perDay: null, approvalAbove: null },
  ]
  async function send(amount: string): Promise<void> {
    await openForm()
    const form = await dialog(page, 'Send')
    await form.getByLabel('To address').fill(someAddress())
    await form.getByLabel('Amount').fill(amount)
    await press(form, 'Continue')
  }

  test('it waits, and says so; a second owner approves it, and it is sent', async () => {
    const set = await ask(owner, 'PUT', `/wallets/${wallet.id}/send-limits`, {
      amounts: limits,
      destinations: null,
    })
    expect(set.status).toBe(200)
    await send('60')
    const confirm = await dialog(page, 'Send this?')
    await confirm.getByText('It waits until a second owner approves it').waitFor()
    await press(confirm, 'Send')
    await waitForStatus(page, 'A second owner has to approve it.')
    await shows('Waits for approval')
    expect(await examine(page, 'transfer that waits')).toEqual([])
    const [waiting] = (await transfers('?status=pending')).transfers
    expect(waiting).toMatchObject({ amount: '60', txHash: null })

    const other = await visit(world, { as: second, answersFail: true })
    await go(other.page, at(`/transfers/${waiting?.id}`))
    await other.page.getByRole('main').getByRole('link', { name: 'Approvals' }).click()
    await press(other.page.getByRole('row', { name: '60 USDC' }), 'Approve')
    await press(await dialog(other.page, 'Approve this transfer?'), 'Approve transfer')
    await waitForStatus(other.page, 'The transfer is approved')
    await other.leave()

    await ended(String(waiting?.id))
    await shows('Sent')
    const happened = page.getByRole('list', { name: 'What happened' })
    expect(await happened.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Requested'),
      expect.stringContaining('Approved by a second owner'),
      expect.stringContaining('Sent, in block'),
    ])
  })

  test('above what one transfer may be it is refused, and nothing is stored', async () => {
    const { total } = await transfers()
    await send('201')
    const confirm = await dialog(page, 'Send this?')
    await press(confirm, 'Send')
    await confirm.getByRole('alert').waitFor()
    expect((await transfers()).total).toBe(total)
  })

  test('one that waits is cancelled from the menu, by the keyboard', async () => {
    await send('70')
    await press(await dialog(page, 'Send this?'), 'Send')
    await shows('Waits for approval')
    const menu = page.getByRole('button', { name: 'More actions' })
    await menu.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'Cancel transfer' }).waitFor()
    expect(await examine(page, 'menu')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await focusIsOn(page, 'More actions')
    await page.keyboard.press('Enter')
    await page.keyboard.press('c')
    await page.keyboard.press('Enter')
    const sure = await dialog(page, 'Cancel this transfer?')
    await sure.getByRole('button', { name: 'Cancel transfer' }).focus()
    await page.keyboard.press('Enter')
    await waitForStatus(page, 'The transfer is cancelled.')
    await shows('Cancelled')
  })
})

test('finds transfers by address and hash, filters them, and saves them as a file', async () => {
  const { transfers: all, total } = await transfers()
  const sent = all.find(({ amount }) => amount === '120')
  const found = async (query: string) => (await transfers(query)).transfers.map(({ amount }) => amount)
  expect(await found(`?search=${sent?.txHash}`)).toEqual(['120'])
  expect(await found(`?search=${sent?.id}`)).toEqual(['120'])
  expect(await found(`?search=${wallet.address}`)).toHaveLength(total)
  expect(await found(`?search=${someAddress()}`)).toEqual([])
  expect(await found('?search=12')).toEqual([])
  expect(await found(`?until=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([])
  expect(
    (await ask(owner, 'GET', '/crypto/transfers?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z'))
      .status,
  ).toBe(400)

  await go(page, at('/transfers'))
  await page.getByText(`${total} of ${total} shown`).waitFor()
  expect(await examine(page, 'transfers')).toEqual([])
  await page.getByLabel('Search').fill(String(sent?.txHash))
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await press(page, 'Clear')
  await page.getByLabel('Time', { exact: true }).selectOption('Today')
  await press(page.getByRole('group', { name: 'State' }), 'Failed')
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await press(page, 'Clear')
  await page.getByText(`${total} of ${total} shown`).waitFor()
  const saving = page.waitForEvent('download')
  await press(page, 'Download CSV')
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines).toHaveLength(total + 1)
  expect(lines[0]).toContain('txHash')
})

test('wallets are found by a part of label or address, relabelled, and archived', async () => {
  const found = async (query: string) =>
    (await ask<Listed>(owner, 'GET', `/crypto/wallets?${query}`)).body.wallets.map(({ id }) => id)
  expect(await found('search=uppli')).toEqual([wallet.id])
  expect(await found(`search=${wallet.address.slice(4, 12)}`)).toEqual([wallet.id])
  expect(await found(`search=${wallet.address.toLowerCase()}`)).toEqual([wallet.id])
  expect(await found('search=%25')).toEqual([])
  expect(await found('search=uppli&chain=base')).toEqual([])
  await go(page, at('/wallets?search=uppli'))
  await page.getByText('1 of 1 shown').waitFor()
  expect(await examine(page, 'wallets')).toEqual([])
  await page.getByRole('link', { name: 'Suppliers' }).click()
  await settled(page)
  await chooseAction(page, 'Change the label')
  const label = await dialog(page, 'Change the label')
  await label.getByLabel('Label').fill('Payroll')
  await press(label, 'Save label')
  await page.getByRole('heading', { level: 1, name: 'Payroll' }).waitFor()
  await chooseAction(page, 'Archive')
  await press(await dialog(page, 'Archive this wallet?'), 'Archive wallet')
  await page.getByText('It is archived: nothing is sent from it any more.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ state: 'detached' })
  await go(page, at('/wallets'))
  await page.getByText('There is no wallet yet.').waitFor()
  await page.getByLabel('State', { exact: true }).selectOption('Archived')
  await page.getByRole('link', { name: 'Payroll' }).waitFor()
})

test('a viewer sees all of it and sends nothing; a stranger finds nothing', async () => {
  const viewer = await addMember(world.stack, businessId, 'viewer')
  const developer = await addMember(world.stack, businessId, 'developer')
  const stranger = await addPerson(world.stack)
  await addBusiness(world.stack, stranger)
  const [sent] = (await transfers()).transfers
  const paths = [
    `/crypto/wallets/${wallet.id}`,
    `/crypto/transfers/${sent?.id}`,
    '/crypto/wallets',
    '/crypto/transfers',
  ]
  for (const path of paths) {
    expect([path, (await ask(viewer, 'GET', path)).status]).toEqual([path, 200])
    expect([path, (await ask(stranger, 'GET', path)).status]).toEqual([path, 404])
  }
  const body = { toAddress: someAddress(), amount: '0.1' }
  const send = async (who: Person) =>
    (await ask(who, 'POST', `/crypto/wallets/${wallet.id}/transfers`, body)).status
  expect([await send(viewer), await send(developer), await send(stranger)]).toEqual([403, 403, 404])
  const seen = await visit(world, { as: viewer })
  await go(seen.page, at(`/wallets/${wallet.id}`))
  await seen.page.getByRole('table', { name: 'Transfers' }).waitFor()
  expect(await seen.page.getByRole('button', { name: /Send|More actions/ }).count()).toBe(0)
  await seen.leave()
})

test('no page has left a secret in an address, in the storage or in the console', async () => {
  await here.leave()
  const texts = [...world.recorded.urls, ...world.recorded.stored, ...world.recorded.consoleTexts].join('\n')
  for (const secret of world.secrets) expect(texts).not.toContain(secret)
})
