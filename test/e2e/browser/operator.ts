import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { systemActor } from '../../../src/audit/recordAudit.ts'
import { setApproval } from '../../../src/businesses/operateBusinesses.ts'
import { dialog, press, settled, type World, waitForStatus } from './world.ts'

const heldRows = (page: Page) => page.getByRole('table', { name: 'Held transfers' }).getByRole('row')

/** Opens the dialog of the row with this amount. */
async function beginToGiveUp(page: Page, amount: string) {
  await page.getByRole('button', { name: `Give up ${amount} to` }).click()
  return dialog(page, 'Give up this transfer?')
}

/**
 * Shows all held transfers of a suspended business and gives up the first. Giving up the second fails,
 * because the business was approved in between.
 */
export async function giveUpHeld(
  { stack }: World,
  page: Page,
  businessId: string,
  ids: string[],
): Promise<void> {
  const stateOf = async (id = '') =>
    (await stack.db.query<{ status: string }>('select status from intents where id = $1', [id]))[0]?.status
  // The first row is the head.
  await page.getByText(`20 of ${ids.length} shown`).waitFor()
  await press(page, 'Show more')
  await page.getByText(`${ids.length} of ${ids.length} shown`).waitFor()
  expect(await heldRows(page).count()).toBe(ids.length + 1)

  await press(await beginToGiveUp(page, '1 ETH'), 'Cancel')
  expect(await stateOf(ids[0])).toBe('created')
  const first = await beginToGiveUp(page, '1 ETH')
  await first.getByText('It will not be sent').waitFor()
  await press(first, 'Give up transfer')
  await waitForStatus(page, 'The transfer is given up.')
  expect(await stateOf(ids[0])).toBe('failed')
  await page.getByRole('button', { name: 'Give up 1 ETH to' }).waitFor({ state: 'detached' })
  await page.getByText(`20 of ${ids.length - 1} shown`).waitFor()

  const second = await beginToGiveUp(page, '2 ETH')
  await setApproval(stack, systemActor('test'), businessId, 'approved', null)
  await press(second, 'Give up transfer')
  await second.getByRole('alert').getByText('its business is not suspended').waitFor()
  await press(second, 'Cancel')
  expect(await stateOf(ids[1])).toBe('created')
}

/** Raises a cap, sees mistakes at their field, lowers it, and goes back to the default. */
export async function setCaps({ stack }: World, page: Page, businessId: string): Promise<void> {
  const caps = page.getByRole('region', { name: 'Caps' })
  const field = () => caps.getByLabel('Monitored addresses')
  const own = () =>
    stack.db.query('select name, value::int as value from business_caps where business_id = $1', [businessId])
  const save = async (value: string, status: string) => {
    await field().fill(value)
    await press(caps, 'Save caps')
    await waitForStatus(page, status)
  }
  // As in the settings of the stack.
  await caps.getByText('Empty: the default, 10,000,000.').first().waitFor()
  expect([await field().inputValue(), await field().getAttribute('placeholder')]).toEqual(['', '10000000'])
  await save('500000', 'The caps are saved.')
  expect(await own()).toEqual([{ name: 'monitoredAddresses', value: 500_000 }])
  await page.reload()
  await settled(page)
  expect(await field().inputValue()).toBe('500000')

  await field().fill('-1')
  await press(caps, 'Save caps')
  await caps.getByText('Enter a whole number from 0 to').waitFor()
  // The API names the field of a value that the page lets through.
  await page.route('**/caps', (route) => route.continue({ postData: JSON.stringify({ openSessions: -1 }) }))
  await field().fill('7')
  await press(caps, 'Save caps')
  await caps
    .locator('.field.wrong', { hasText: 'Open sessions' })
    .getByText(/^Open sessions must be/)
    .waitFor()
  await page.unroute('**/caps')
  expect(await own()).toEqual([{ name: 'monitoredAddresses', value: 500_000 }])

  await save('7', 'The caps are saved.')
  await save('7', 'No cap was changed.')
  expect(await own()).toEqual([{ name: 'monitoredAddresses', value: 7 }])
  await save('', 'The caps are saved.')
  expect(await own()).toEqual([])
}
