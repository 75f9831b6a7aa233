import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { someCollection } from '../../support/sampleRequests.ts'
import type { Stack } from '../../support/stack.ts'
import { pressAgain } from './lostAnswers.ts'
import { slowAnswers } from './slowAnswers.ts'
import { dialog, expectHidden, go, heading, press, settled, type World, waitForStatus } from './world.ts'

/** Name of the control with the focus. */
const field = (page: Page) => page.evaluate<string>('document.activeElement.name')
const factOf = (page: Page, name: string) =>
  page
    .locator('.facts > div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
const customer = someCollection().recipient
const theirs = {
  'Name of the customer': customer.name,
  'Their country': 'ng',
  'Their phone': customer.phone,
  'Their address': customer.address,
  'Their date of birth': customer.dob,
  'Their email': customer.email,
  'Kind of document': customer.idType,
  'Number of the document': customer.idNumber,
}

/**
 * Collects from a customer: the form offers what the partner has, wrong fields are named, and answers that
 * are lost collect nothing twice.
 * @returns the id of the collection
 */
export async function collect(
  { stack: { db, partner }, secrets }: World,
  page: Page,
  at: string,
): Promise<string> {
  for (const theirs of [customer.phone, customer.additionalIdNumber]) secrets.add(theirs)
  await go(page, `${at}/collections`)
  await page.getByText('There is no collection yet.').waitFor()
  await page.getByRole('link', { name: 'Collect', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Collect' }).waitFor()
  await settled(page)
  await offers(page)
  const { amount, walletAddress } = someCollection()
  await page.getByLabel('Country', { exact: true }).selectOption('Nigeria')
  await page.getByText('in whole units: from 2500 to 30000000 NGN.').waitFor()
  await page.getByLabel('Amount').fill('1,5')
  await page.getByLabel('Wallet address').fill('0x1')
  await page.getByLabel('Reference').fill('invoice 7')
  // Without a profile the business cannot pay itself.
  await page.getByRole('radio', { name: 'This business' }).check()
  await press(page, 'Collect')
  await page.getByText('Enter whole units of the currency, such as 50000.').waitFor()
  expect(await field(page)).toBe('amount')
  await page.getByLabel('Amount').fill('2499')
  await press(page, 'Collect')
  await page.locator('.field.wrong', { has: page.getByLabel('Wallet address') }).waitFor()
  expect(await field(page)).toBe('walletAddress')
  await page.getByLabel('Wallet address').fill(walletAddress)
  await press(page, 'Collect')
  await page.getByText('Amount must be from 2500 to 30000000.').waitFor()
  expect(await field(page)).toBe('amount')
  await page.getByLabel('Amount').fill(amount)
  await press(page, 'Collect')
  await page.getByRole('alert').getByText('needs the legal profile of the business').waitFor()
  await namesCustomer(page)
  await pressAgain(page, 'Collect', 'collection')
  await page.getByRole('heading', { level: 1, name: `Collection of ${amount} NGN` }).waitFor()
  await waitForStatus(page, 'Give your customer the account to pay into.')
  await settled(page)
  const rows = await db.query<{ id: string }>("select id from fiat_collections where reference = 'invoice 7'")
  expect(rows).toHaveLength(1)
  const [{ id } = { id: '' }] = rows
  expect(page.url().endsWith(`/collections/${id}`)).toBe(true)
  const made = partner.collections.bySequence(id)
  for (const [name, value] of Object.entries({
    Bank: made?.bank?.name,
    'Account number': made?.bank?.accountNumber,
  }))
    expect([name, await factOf(page, name).textContent()]).toEqual([name, value])
  for (const hidden of [customer.name, customer.phone, customer.idNumber]) await expectHidden(page, hidden)
  return id
}

/** Each country has its own currency and accounts; mobile money has a network and a number. */
async function offers(page: Page): Promise<void> {
  await page.getByLabel('Country', { exact: true }).selectOption('Kenya')
  expect(await page.getByLabel('Currency').inputValue()).toBe('KES')
  expect(await page.getByLabel('Mobile network').count()).toBe(0)
  await page.getByLabel('Paid from').selectOption('Mobile money')
  expect(await page.getByLabel('Mobile network').locator('option').allTextContents()).toEqual(['M-PESA'])
  await page.getByText('in whole units: from 500 to 250000 KES.').waitFor()
}

/**
 * A phone without the country's code, a birthday to come and a missing second document are named at their
 * fields.
 */
async function namesCustomer(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'A customer' }).check()
  for (const [label, value] of Object.entries(theirs))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Their phone').fill('0801')
  await press(page, 'Collect')
  await page.getByText('Enter the number with the country’s code, such as +2348012345678.').waitFor()
  expect(await field(page)).toBe('recipient.phone')
  await page.getByLabel('Their phone').fill(customer.phone)
  await press(page, 'Collect')
  await page.getByText('Fill this in.').first().waitFor()
  expect(await field(page)).toBe('recipient.additionalIdType')
  await page.getByLabel('Kind of a second document').fill(customer.additionalIdType)
  await page.getByLabel('Number of the second document').fill(customer.additionalIdNumber)
  await page.getByLabel('Their date of birth').fill('2999-01-31')
  await press(page, 'Collect')
  await page.getByText('Their date of birth is not a day of the past.').waitFor()
  expect(await field(page)).toBe('recipient.dob')
  await page.getByLabel('Their date of birth').fill(customer.dob)
}

/**
 * The partner is queried by Refresh: while it is down the page reports it and the collection stays; then the
 * money has come.
 */
export async function refresh({ partner }: Stack, page: Page, id: string): Promise<void> {
  partner.mode = 'down'
  await press(page, 'Refresh')
  await page.getByRole('alert').getByText('The partner does not answer right now').waitFor()
  await page.getByText('Waiting for the money').first().waitFor()
  partner.mode = 'ok'
  const made = partner.collections.bySequence(id)
  if (!made) throw new Error('the partner does not have it')
  partner.collections.receive(made)
  await press(page, 'Refresh')
  await waitForStatus(page, 'This is the partner’s state now.')
  expect(await factOf(page, 'State').textContent()).toBe('Completed')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Cancel collection' }).count()).toBe(0)
  const known = await page
    .getByRole('list', { name: 'What is known' })
    .getByRole('listitem')
    .allTextContents()
  expect(known.map((each) => each.split(/\d/)[0])).toEqual(['Created', 'Last change'])
  expect(known.at(-1)).toContain('Completed.')
}

/** Cancels one, and finds both by their state, currency and reference. */
export async function cancel(page: Page, at: string, id: string): Promise<void> {
  await go(page, `${at}/collections/${id}`)
  await press(page, 'Cancel collection')
  const ask = await dialog(page, 'Cancel this collection?')
  await press(ask, 'Cancel collection')
  await waitForStatus(page, 'The collection is cancelled.')
  expect([await factOf(page, 'State').textContent(), await factOf(page, 'Reason').textContent()]).toEqual([
    'Failed',
    'Cancelled',
  ])
  await page.getByRole('link', { name: 'All collections' }).click()
  await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
  await settled(page)
  const rows = page.getByRole('table', { name: 'Collections' }).getByRole('row')
  expect(await rows.count()).toBe(3)
  await page.getByLabel('State', { exact: true }).selectOption('Failed')
  await page.getByLabel('Currency').fill('ngn')
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByLabel('State', { exact: true }).selectOption('All states')
  await page.getByLabel('Currency').fill('')
  await page.getByLabel('Reference').fill('invoice 7')
  await press(page, 'Search')
  await rows.filter({ hasText: 'Completed' }).waitFor()
  await page.getByText('1 of 1 shown').waitFor()
  await go(page, `${at}/collections?currency=KES`)
  await page.getByText('Nothing was found.').waitFor()
}

/** Cancels one that has ended since it was shown: the page shows its end before the dialog refuses. */
export async function cancelEnded(page: Page, { db }: Stack, at: string, id: string): Promise<void> {
  await go(page, `${at}/collections/${id}`)
  await db.query("update fiat_collections set status = 'expired', ended_at = now() where id = $1", [id])
  await press(page, 'Cancel collection')
  const ask = await dialog(page, 'Cancel this collection?')
  const endSlow = await slowAnswers(page, `**/fiat-collections/${id}`)
  await press(ask, 'Cancel collection')
  await ask.getByRole('alert').waitFor()
  expect(await factOf(page, 'State').textContent()).toBe('Expired')
  await endSlow()
}

/** A deployment without a partner shows why there is nothing, and offers no form. */
export async function seeNoPartner(stack: Stack, page: Page, at: string): Promise<void> {
  const process = await stack.start(
    'api',
    { YELLOWCARD_URL: '', YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '' },
    { as: 'alone' },
  )
  for (const path of ['collections', 'collections/new']) {
    await go(page, `http://127.0.0.1:${process.port()}${at}/${path}`)
    await page.getByText('This deployment collects nothing.').waitFor()
    expect(await page.getByLabel('Amount').count()).toBe(0)
  }
  expect(await heading(page)).toBe('Collect')
  await stack.stop('alone')
}
