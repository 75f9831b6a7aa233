import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { focusIsOn, tabTo } from './keyboard.ts'
import { dialog, expectHidden, press, settled, waitForStatus } from './world.ts'

const field = (page: Page) => page.evaluate<string>('document.activeElement.name')

/** Adds a bank account with the keyboard alone, is led to a wrong number, and archives the account. */
export async function keepDestination(page: Page): Promise<void> {
  await tabTo(page, 'Add a destination')
  await page.keyboard.press('Enter')
  const add = await dialog(page, 'Add a destination')
  await settled(page)
  await tabTo(page, 'Country')
  await page.keyboard.type('Ken')
  await tabTo(page, 'Account number')
  await page.keyboard.type('07-2')
  await tabTo(page, 'Account holder')
  await page.keyboard.type('Ada Stores Ltd')
  await page.keyboard.press('Enter')
  await add.getByText('Must have 4 to 34 letters and digits.').waitFor()
  expect(await field(page)).toBe('accountNumber')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('0723 456 789')
  await page.keyboard.press('Enter')
  await waitForStatus(page, 'The destination is saved. It can be used when its cooling-off time is over.')
  await focusIsOn(page, 'Add a destination')
  const table = page.getByRole('table', { name: 'Payout destinations' })
  await table.getByText('****6789').waitFor()
  await table.getByText('Ada Stores Ltd, Equity Bank, Kenya, KES').waitFor()
  await table.getByText('Usable from').waitFor()
  await expectHidden(page, '0723456789')
  await tabTo(page, 'Archive Equity Bank ****6789')
  await page.keyboard.press('Enter')
  await dialog(page, 'Archive this destination?')
  await focusIsOn(page, 'Cancel')
  await tabTo(page, 'Archive destination')
  await page.keyboard.press('Enter')
  await waitForStatus(page, 'The destination is archived.')
  await table.getByText('Archived').waitFor()
}

/** Saves a wallet; an address of another network is refused at its field. */
export async function keepWallet(page: Page): Promise<void> {
  await press(page, 'Add a destination')
  const add = await dialog(page, 'Add a destination')
  await add.getByLabel('A wallet').check()
  await add.getByLabel('Address').fill('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')
  await press(add, 'Save destination')
  await add.getByText('Is an address of tron, not of ethereum.').waitFor()
  await add.getByLabel('Address').fill('0x52908400098527886e0f7030069857d2e4169ee7')
  await press(add, 'Save destination')
  await waitForStatus(page, 'The destination is saved.')
  await page.getByText('0x52908400098527886E0F7030069857D2E4169EE7').waitFor()
}

/**
 * Shortens the cooling-off time, which waits, and writes the legal profile, whose numbers are not shown
 * again.
 */
export async function setPayouts(page: Page): Promise<void> {
  await page.getByLabel('Hours').fill('2')
  await press(page, 'Save cooling-off time')
  await waitForStatus(page, 'The shorter time applies when the present one has passed.')
  await page.getByText(/^2 hours, from/).waitFor()
  await page.getByText('There is no legal profile yet.').waitFor()
  const fields = {
    'Registered name': 'Ada Stores Limited',
    'Registration number': 'RC 7654321',
    Country: 'zz',
    Address: '7 Marina Road, Lagos',
    Phone: '+2348035551234',
    Email: 'legal@stores.example',
  }
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  await press(page, 'Save profile')
  await page.getByText('Is not a country of ISO 3166-1.').waitFor()
  expect(await field(page)).toBe('country')
  await page.getByLabel('Country', { exact: true }).fill('ng')
  await press(page, 'Save profile')
  await waitForStatus(page, 'The legal profile is saved.')
  await page.getByText('****4321').waitFor()
  await page.reload()
  await settled(page)
  await page.getByText('l****@stores.example').waitFor()
  for (const hidden of ['7654321', '+2348035551234', 'legal@stores.example']) await expectHidden(page, hidden)
  expect(await page.getByLabel('Phone', { exact: true }).inputValue()).toBe('')
}
