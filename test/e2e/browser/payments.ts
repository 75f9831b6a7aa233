import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { configuredChains } from '../../../src/chains/configuration.ts'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { makePayouts } from '../../support/madePayout.ts'
import { type MadeSession, makePayment, makeSession } from '../../support/madeSessions.ts'
import { settling } from '../../support/settling.ts'
import { pressTwice } from './lostAnswers.ts'
import { heldAnswer, slowAnswers } from './slowAnswers.ts'
import { dialog, expectHidden, go, heading, press, settled, waitForStatus } from './world.ts'

const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })

/**
 * Payments and payouts for their pages: an overpaid session with another token too, and payouts, one of which
 * waits for approval.
 */
export async function makePayments(
  db: ModelDb,
  businessId: string,
): Promise<{ sessionId: string; payoutId: string; batchId: string; session: MadeSession }> {
  const session = await makeSession(db, businessId, 25_000_000n)
  await makePayment(db, session, { amount: 30_000_000n })
  await makePayment(db, session, { amount: 5_000_000n, token: 'USDT', status: 'seen' })
  await db.query(
    "update pos_sessions set reference = 'Order 7/a', label = 'Table 4', metadata = $2 where id = $1",
    [session.id, { waiter: 'Ada' }],
  )
  await settleSession({ ...settling, db, chains }, { sessionId: session.id, outboxId: '0' })
  await makeSession(db, businessId, 1_000_000n)
  const { waitingPayout, payoutBatch } = await makePayouts(db, businessId)
  return { sessionId: session.id, payoutId: waitingPayout, batchId: payoutBatch, session }
}

/** Finds a payment by its address, with its timeline. */
export async function findPayment(page: Page, at: string, { id, address }: MadeSession): Promise<void> {
  await go(page, `${at}/payments`)
  const table = page.getByRole('table', { name: 'Payments' })
  expect(await table.getByRole('row').count()).toBe(3)
  await page.getByLabel('Search', { exact: true }).fill(address)
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await table.getByRole('link', { name: '25 USDC' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payment of 25 USDC' }).waitFor()
  const happened = await page
    .getByRole('list', { name: 'What happened' })
    .getByRole('listitem')
    .allTextContents()
  for (const text of ['Created', 'Payment detected', 'Payment confirmed', 'Paid'])
    expect(happened.some((each) => each.startsWith(text))).toBe(true)
  expect(happened.join(' ')).toMatch(/5 USDT on Ethereum in [0-9a-f-]+Another token came/)
  await page.getByText(id).waitFor()
  await page.getByText('Order 7/a').waitFor()
  await go(page, `${at}/payments?exception=underpaid`)
  await page.getByText('Nothing was found.').waitFor()
}

/** A wallet, and not the bank account, which is listed first. */
const chooseWallet = async (select: Locator) =>
  select.selectOption(await select.locator('option', { hasText: '0x' }).first().getAttribute('value'))

/**
 * Pays out after an amount that is wrong, and one that the fee eats; the price is shown before anything is
 * stored, and answers that are lost pay out nothing twice. @returns the payout's address
 */
export async function payOut(page: Page, db: ModelDb, at: string): Promise<string> {
  await go(page, `${at}/payouts`)
  await press(page, 'Pay out')
  const form = await dialog(page, 'Pay out')
  await settled(page)
  await chooseWallet(form.getByLabel('To', { exact: true }))
  await form.getByLabel('Amount').fill('1,5')
  await press(form, 'Continue')
  await form.getByText('Enter an amount, such as 25 or 12.50.').waitFor()
  await form.getByLabel('Amount').fill('0.0000001')
  await press(form, 'Continue')
  await form.locator('.field-error').waitFor()
  await form.getByLabel('Amount').fill('5')
  await form.getByLabel('Reference').fill('July')
  await press(form, 'Continue')
  const price = await dialog(page, 'Pay this out?')
  await price.getByText('5 USDC on Ethereum').waitFor()
  const arrives =
    (await price.locator('.facts > div', { hasText: 'Arrives' }).locator('dd').textContent()) ?? ''
  expect(arrives).toMatch(/^[0-9.]+ USDC$/)
  await pressTwice(page, price, form, 'Pay out', 'payout')
  await page.getByRole('heading', { level: 1, name: 'Payout of 5 USDC' }).waitFor()
  await settled(page)
  expect(await page.locator('.facts > div', { hasText: 'Arrives' }).locator('dd').textContent()).toBe(arrives)
  await page.getByText('July').waitFor()
  expect(await db.query("select 1 from outflows where reference = 'July' and kind = 'payout'")).toHaveLength(
    1,
  )
  return page.url()
}

/** Cancels a payout while the page loads it: the older answer does not replace the newer one. */
export async function cancelPayout(page: Page): Promise<void> {
  const letGo = await heldAnswer(page, `**/payouts/${page.url().split('/').at(-1)}`)
  await press(page, 'Refresh')
  await press(page, 'Cancel payout')
  await press(await dialog(page, 'Cancel this payout?'), 'Cancel payout')
  await waitForStatus(page, 'The payout is cancelled. Its money is available again.')
  await letGo()
  await settled(page)
  await expectHidden(page, 'Mark as paid')
}

/** Approves a payout that has changed since it was shown: it is shown again first. */
export async function approvePayout(page: Page, db: ModelDb, at: string, payoutId: string): Promise<void> {
  await go(page, `${at}/payouts/${payoutId}`)
  expect(await heading(page)).toBe('Payout of 1 USDC')
  await db.query('update outflows set revision = revision + 1 where id = $1', [payoutId])
  await press(page, 'Approve')
  const ask = await dialog(page, 'Approve this payout?')
  const endSlow = await slowAnswers(page, `**/payouts/${payoutId}`)
  await press(ask, 'Approve payout')
  await ask.getByText('The payout has changed. It is loaded again').waitFor()
  await endSlow()
  await press(ask, 'Approve payout')
  await waitForStatus(page, 'The payout is approved. It is sent now.')
  await page.getByText('Approved by a second owner').waitFor()
}

/** Approves a batch that has changed since the list of approvals was shown: it is shown again first. */
export async function approveBatch(page: Page, db: ModelDb, businessId: string): Promise<void> {
  await go(page, `/dashboard/b/${businessId}/approvals`)
  await db.query(
    "update outflows set revision = revision + 1 where business_id = $1 and batch_id is not null and status = 'awaiting_approval'",
    [businessId],
  )
  await press(page, 'Approve')
  const ask = await dialog(page, 'Approve this batch of payouts?')
  const endSlow = await slowAnswers(page, /\/approvals\?/)
  await press(ask, 'Approve batch of payouts')
  await ask.getByText('The batch of payouts has changed. It is loaded again').waitFor()
  await endSlow()
  await press(ask, 'Approve batch of payouts')
  await waitForStatus(page, 'The batch is approved. Its payouts are sent now.')
}

export async function markPaid(page: Page, at: string): Promise<void> {
  await go(page, `${at}/payouts?status=pending`)
  await page.getByRole('table', { name: 'Payouts' }).getByRole('link').first().click()
  await settled(page)
  await press(page, 'Mark as paid')
  const open = await dialog(page, 'Mark this payout as paid?')
  await open.getByLabel('Proof').fill('Receipt 17')
  await press(open, 'Mark as paid')
  await waitForStatus(page, 'The payout is marked as paid.')
  await page.getByText('Marked as paid elsewhere').waitFor()
  await page.getByText('Receipt 17').waitFor()
}

/** Sets limits, one of which waits, and autopayout, whose destination is missing at first. */
export async function setLimits(page: Page, at: string): Promise<void> {
  await go(page, `${at}/settings/payouts`)
  await page.getByLabel('Per payout', { exact: true }).fill('1e3')
  await press(page, 'Save limits')
  await page.getByText('Enter an amount of US dollars, such as 2500 or 99.50.').waitFor()
  await page.getByLabel('Per payout', { exact: true }).fill('1000')
  await press(page, 'Save limits')
  await waitForStatus(page, 'The limits are saved.')
  await page.getByLabel('Per payout', { exact: true }).fill('')
  await press(page, 'Save limits')
  await waitForStatus(page, 'Higher limits apply when the cooling-off time has passed.')
  await page.getByText(/^No limit from/).waitFor()
  await page.getByLabel('Pay out USDC on Ethereum').check()
  await press(page, 'Save autopayout')
  await page.getByText('Choose a destination.').waitFor()
  await chooseWallet(page.getByLabel('Destination of USDC on Ethereum'))
  await press(page, 'Save autopayout')
  await waitForStatus(page, 'The autopayout settings are saved.')
  await page.reload()
  await settled(page)
  expect(await page.getByLabel('Pay out USDC on Ethereum').isChecked()).toBe(true)
}
