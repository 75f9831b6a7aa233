import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { bridgeRequest, bridgeSource, makeBridgeRow } from '../../support/madeBridge.ts'
import type { Stack } from '../../support/stack.ts'
import { pressTwice } from './lostAnswers.ts'
import { dialog, go, press, settled, waitForStatus } from './world.ts'

const recipient = '0x52908400098527886E0F7030069857D2E4169EE7'

export async function findNoWallet(page: Page, at: string): Promise<void> {
  await go(page, `${at}/bridge`)
  await page.getByText('There is no bridge transfer yet.').waitFor()
  await press(page, 'Bridge USDC')
  const form = await dialog(page, 'Bridge USDC')
  await form.getByText('There is no wallet to bridge from.').waitFor()
  await press(form, 'Close')
}

/** Is led to wrong fields, reads the costs and confirms; its answer is lost once. It needs an approval. */
export async function send(page: Page, { db }: Stack, businessId: string): Promise<void> {
  const walletId = await bridgeSource(db, businessId)
  const above = [{ chain: 'ethereum', token: 'usdc', perTransfer: null, perDay: null, approvalAbove: '1' }]
  await db.query(
    "insert into send_limits (subject, subject_id, business_id, amounts) values ('wallet', $1, $2, $3)",
    [walletId, businessId, JSON.stringify(above)],
  )
  await press(page, 'Bridge USDC')
  const form = await dialog(page, 'Bridge USDC')
  await settled(page)
  await form.getByLabel('To address').fill('somebody')
  await form.getByLabel('Amount').fill('250')
  await press(form, 'Continue')
  await form.getByText('Choose another network than that of the wallet.').waitFor()
  await form.getByLabel('To network').selectOption('base')
  await press(form, 'Continue')
  await form.locator('.field-error').waitFor()
  await form.getByLabel('To address').fill(recipient)
  await form.getByLabel('Fast').check()
  await press(form, 'Continue')
  const costs = await dialog(page, 'Bridge this?')
  const factOf = async (name: string) =>
    costs.locator('.facts > div', { hasText: name }).first().locator('dd').textContent()
  expect([await factOf('Fee'), await factOf('Arrives'), await factOf('Takes')]).toEqual([
    '0.0325 USDC, 0.039 USDC at most',
    'At least 249.961 USDC',
    'About 21 seconds',
  ])
  await pressTwice(page, costs, form, 'Bridge', 'bridge transfer')
  await page.getByRole('heading', { level: 1, name: 'Bridge of 250 USDC to Base' }).waitFor()
  await page.getByText('A second owner has to approve it', { exact: true }).waitFor()
  expect(await db.query('select 1 from bridge_transfers where business_id = $1', [businessId])).toHaveLength(
    1,
  )
}

/** Finds one that has arrived, and reads its transactions and what was received. */
export async function find(page: Page, { db }: Stack, businessId: string): Promise<void> {
  const hashes = { source_tx_id: `0x${'1'.repeat(64)}`, destination_tx_id: `0x${'2'.repeat(64)}` }
  await makeBridgeRow(db, businessId, {
    ...hashes,
    status: 'completed',
    fee: '32500',
    executed_speed: 'fast',
  })
  await go(page, `/dashboard/b/${businessId}/bridge`)
  expect(await page.getByRole('table', { name: 'Bridge transfers' }).getByRole('link').count()).toBe(2)
  await page.getByLabel('State', { exact: true }).selectOption('Arrived')
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await page.getByRole('table', { name: 'Bridge transfers' }).getByRole('link').click()
  await page.getByText('249.9675 USDC').waitFor()
  const steps = await page.getByRole('table', { name: 'Transactions' }).getByRole('row').allTextContents()
  expect(steps).toEqual([
    'StepTransaction',
    `Burn on Ethereum${hashes.source_tx_id}`,
    `Mint on Base${hashes.destination_tx_id}`,
  ])
  expect(await page.getByRole('button', { name: 'Refresh' }).count()).toBe(0)
  await go(page, `/dashboard/b/${businessId}/bridge?sourceChain=polygon`)
  await page.getByText('Nothing was found.').waitFor()
}

/** Another owner reads where it goes, and approves it. */
export async function approve(page: Page, at: string): Promise<void> {
  await go(page, `${at}/approvals`)
  await press(page.getByRole('row', { name: '250 USDC' }), 'Approve')
  const ask = await dialog(page, 'Approve this bridge transfer?')
  const text = ((await ask.textContent()) ?? '').toLowerCase()
  expect(text).toContain(`from ethereum ${bridgeRequest.sourceAddress} to base ${recipient.toLowerCase()}`)
  await press(ask, 'Approve bridge transfer')
  await waitForStatus(page, 'The bridge transfer is approved. It is sent now.')
}
