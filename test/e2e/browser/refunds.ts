import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import { makePaidSession, someAddress } from '../../support/madeRefunds.ts'
import { pressTwice } from './lostAnswers.ts'
import { dialog, expectHidden, go, press, type World, waitForStatus } from './world.ts'

const refundsOf = (db: ModelDb, sessionId: string) =>
  db.query<{ amount: string; status: string }>(
    "select amount::text, status from outflows where session_id = $1 and kind = 'refund' order by id",
    [sessionId],
  )

/**
 * Refunds what came beyond the request, to an address that is wrong at first; answers that are lost refund
 * nothing twice.
 */
export async function refundExcess(page: Page, db: ModelDb, at: string, sessionId: string): Promise<void> {
  const address = someAddress()
  await go(page, `${at}/payments/${sessionId}`)
  await press(page, 'Refund')
  const form = await dialog(page, 'Refund this payment')
  expect(await form.getByLabel('What came beyond the request: 5 USDC').isChecked()).toBe(true)
  await press(form, 'Continue')
  await form.getByText('Fill this in.').waitFor()
  await form.getByLabel('Address on Ethereum').fill('nowhere')
  await press(form, 'Continue')
  const ask = await dialog(page, 'Refund this?')
  await ask.getByText('5 USDC on Ethereum').waitFor()
  await press(ask, 'Refund')
  await ask
    .getByRole('alert')
    .getByText(/^The address /)
    .waitFor()
  await press(ask, 'Cancel')
  await form.getByLabel('Address on Ethereum').fill(address)
  await press(form, 'Continue')
  await pressTwice(page, ask, form, 'Refund', 'refund')
  await waitForStatus(page, 'The refund of 5 USDC is created.')
  expect(await refundsOf(db, sessionId)).toEqual([{ amount: '5000000', status: 'pending' }])
  const row = page.getByRole('table', { name: 'Refunds' }).getByRole('row', { name: '5 USDC' })
  await row.getByText('Waiting to be sent').waitFor()
  await row.getByText(address, { exact: false }).waitFor()
}

/** Makes a link for a customer, which is shown once, and cancels its refund. */
export async function refundByLink(
  { secrets, stack: { db } }: World,
  page: Page,
  sessionId: string,
): Promise<void> {
  await press(page, 'Refund')
  const form = await dialog(page, 'Refund this payment')
  await form.getByLabel('An amount').check()
  await form.getByLabel('Amount', { exact: true }).fill('1,5')
  await form.getByLabel('By a link').check()
  await press(form, 'Continue')
  await form.getByText('Enter an amount, such as 25 or 12.50.').waitFor()
  await form.getByLabel('Amount', { exact: true }).fill('1.5')
  await press(form, 'Continue')
  await press(await dialog(page, 'Refund this?'), 'Make the link')
  const shown = await dialog(page, 'The link for your customer')
  const link = await shown.getByLabel('Link', { exact: true }).inputValue()
  expect(link).toMatch(/\/refund#refund_[\w-]{43}$/)
  secrets.add(link.split('#')[1] ?? '')
  await press(shown, 'I have stored it')
  await page.getByText('Your customer names it').waitFor()
  await expectHidden(page, link)
  await press(page, 'Cancel refund of 1.5 USDC')
  await press(await dialog(page, 'Cancel this refund?'), 'Cancel refund')
  await waitForStatus(page, 'The refund is cancelled. Its money is available again.')
  await page.getByText('Your customer named no address').waitFor()
  expect(await refundsOf(db, sessionId)).toMatchObject([
    { status: 'pending' },
    { amount: '1500000', status: 'cancelled' },
  ])
}

/** Accepts what was too little, and leaves what was too much. */
export async function decide(page: Page, db: ModelDb, businessId: string): Promise<void> {
  const notice = page.getByRole('complementary', { name: 'Decision' })
  const [little, much] = [await makePaidSession(db, businessId, 4), await makePaidSession(db, businessId, 20)]
  const resolve = async (id: string, verb: 'Accept' | 'Leave', button: string) => {
    await go(page, `/dashboard/b/${businessId}/payments/${id}`)
    await press(notice, button)
    await press(await dialog(page, `${verb} what came?`), `${verb} it`)
  }
  await resolve(little.id, 'Accept', 'Accept what came')
  await waitForStatus(page, 'What came is accepted. The payment is paid.')
  await page.getByText('What came was accepted').waitFor()
  await notice.waitFor({ state: 'detached' })
  await resolve(much.id, 'Leave', 'Leave it')
  await waitForStatus(page, 'It is left as it is.')
  await page.getByText('It was left as it is').waitFor()
  const decided = await db.query(
    'select status, resolution from pos_sessions where id = any($1) order by amount_received',
    [[little.id, much.id]],
  )
  expect(decided).toEqual([
    { status: 'paid', resolution: 'accepted' },
    { status: 'paid', resolution: 'left' },
  ])
}

/** Another owner approves a refund above the threshold, after reading where it goes. */
export async function approveRefund(page: Page, at: string, toAddress: string): Promise<void> {
  await go(page, `${at}/approvals`)
  await press(page.getByRole('row', { name: 'Refund on Ethereum' }), 'Approve')
  const ask = await dialog(page, 'Approve this refund?')
  expect((await ask.textContent())?.toLowerCase()).toContain(`refund on ethereum to ${toAddress}`)
  await press(ask, 'Approve refund')
  await waitForStatus(page, 'The refund is approved. It is sent now.')
}
