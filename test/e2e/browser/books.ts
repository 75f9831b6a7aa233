import { readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { tokenAsset } from '../../../src/ledger/entry.ts'
import { post } from '../../../src/ledger/post.ts'
import type { Db } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { makeAdjustment } from '../../support/madeAdjustment.ts'
import { makeSuspense } from '../../support/madeSuspense.ts'
import { dialog, go, press, settled, type World, waitForStatus } from './world.ts'

const inDialog = (page: Page) => page.getByRole('dialog')

/**
 * What the pages of the books show: entries of a business, an adjustment and a payment that wait, and a close
 * that found something.
 */
export async function makeBooks({ stack }: Pick<World, 'stack'>, businessId: string): Promise<void> {
  const { db } = stack
  await credit(db, businessId, tokenAsset('ethereum', 'USDC'), 118_250_000n)
  await credit(db, businessId, tokenAsset('bsc', 'USDT'), 123_456_789_123_456_789_123_456_789n)
  await makeAdjustment(stack)
  await makeSuspense(db, 70_000_000n)
  await makeSweep(db, businessId)
  const [close] = await db.query<{ id: string }>(
    `insert into ledger_closes (started_at, entries, last_position, last_hash, drifts) values (now(), 2, 2, sha256('a'), 1) returning id`,
  )
  await db.query(
    `insert into ledger_drifts (close_id, number, kind, subject, expected, found)
     values ($1, 1, 'balance', 'available of 01a1f93f-821b-7439-bb21-110bf7cf8615 in polygon:USDC', '118250000', '118250001')`,
    [close?.id],
  )
  const [check] = await db.query<{ id: string }>(
    "insert into chain_checks (chain, ended_at, addresses, drifts, height) values ('ethereum', now(), 2, 0, 21000000) returning id",
  )
  await db.query(
    `insert into ledger_close_chains (close_id, chain, check_id, checked_at, height, drifts, is_overdue)
     values ($1, 'ethereum', $2, now(), 21000000, 0, false), ($1, 'polygon', null, null, null, null, true)`,
    [close?.id, check?.id],
  )
}

/** A sweep that waits, and a float that is low. */
async function makeSweep(db: Db, businessId: string): Promise<void> {
  const address = `0x${'cd'.repeat(20)}`
  await db.query(
    "insert into sweep_sources (chain, address, family, business_id) values ('ethereum', $1, 'evm', $2)",
    [address, businessId],
  )
  await db.query(
    `insert into sweeps (id, chain, address, token, decimals, amount, payer, status, reason)
     values ($1, 'ethereum', $2, 'USDC', 6, 118250000, 'deposit', 'waiting', 'fee_too_high')`,
    [newId(), address],
  )
  await db.query(
    "insert into treasury_floats (chain, token, balance) values ('ethereum', 'ETH', 1) on conflict do nothing",
  )
  await db.query(
    "insert into treasury_addresses (family, address) values ('evm', $1) on conflict do nothing",
    [`0x${'ab'.repeat(20)}`],
  )
}

function credit(db: Db, businessId: string, asset: string, amount: bigint): Promise<unknown> {
  const account = { name: 'available', businessId, asset } as const
  const cause = { kind: 'payout', id: newId() } as const
  const postings = [
    { account: { name: 'capital', businessId: null, asset } as const, amount },
    { account, amount: -amount },
  ]
  return db.tx((tx) => post(tx, [{ kind: 'deposit.credited', businessId, cause, step: 1, postings }]))
}

/**
 * Proposes a credit of a business, after a mistake that is shown at its field; its author cannot approve it.
 */
export async function proposeCredit(page: Page, businessId: string): Promise<void> {
  await go(page, '/dashboard/platform/adjustments')
  await press(page, 'Propose an adjustment')
  const open = await dialog(page, 'Propose an adjustment')
  for (const [label, value] of [
    ['Asset', 'ethereum:DAI'],
    ['Amount', '12.5'],
    ['Business', businessId],
    ['Reason', '=Refund of a fee'],
  ] as const)
    await open.getByLabel(label, { exact: true }).fill(value)
  await open.getByLabel('Debit', { exact: true }).selectOption('capital')
  await open.getByLabel('Credit', { exact: true }).selectOption('available')
  await press(open, 'Propose adjustment')
  await open.getByText('ethereum:DAI is not an asset that Cowry knows').waitFor()
  await open.getByLabel('Asset', { exact: true }).fill('ethereum:USDC')
  await press(open, 'Propose adjustment')
  await waitForStatus(page, 'The adjustment is proposed. Another operator has to approve it.')
  await page.getByText('You proposed it: another operator has to approve it.').first().waitFor()
}

export async function approveCredit(page: Page): Promise<void> {
  await go(page, '/dashboard/platform/adjustments?state=waiting')
  await page.getByRole('row', { name: '=Refund of a fee' }).getByRole('button', { name: 'Approve' }).click()
  await press(await dialog(page, 'Approve this adjustment?'), 'Approve adjustment')
  await waitForStatus(page, 'The adjustment is approved and posted.')
}

/** A member finds the credit in balances, entries, the file and the statement. */
export async function seeCredit(page: Page, businessId: string): Promise<void> {
  const at = (path: string) => `/dashboard/b/${businessId}/${path}`
  await go(page, at('balances'))
  await page.getByRole('row', { name: 'USDC on Ethereum' }).getByText('12.5 USDC').waitFor()
  await page.getByRole('link', { name: 'USDC on Ethereum' }).click()
  await settled(page)
  await page.getByRole('row', { name: 'Adjustment' }).getByText('Available: +12.5 USDC on Ethereum').waitFor()
  const download = page.waitForEvent('download')
  await press(page, 'Download CSV')
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file.split('\r\n')[1]).toMatch(
    /,adjustment,adjustment,[^,]+,,available,ethereum:USDC,12\.5,USDC,'=Refund of a fee,/,
  )
  await page.getByLabel('Account', { exact: true }).selectOption('receivable')
  await press(page, 'Search')
  await page.getByText('Nothing was found.').waitFor()
  await go(page, at('statement'))
  await page.getByRole('row', { name: 'Available' }).getByText('Adjustment (1): 12.5').waitFor()
  await page.getByLabel('Month').fill('2020-01')
  await page.getByText('Nothing was in the books in this month.').waitFor()
}

/** Proposes to give the first payment in suspense to a business. */
export async function proposeGift(page: Page, businessId: string): Promise<void> {
  await go(page, '/dashboard/platform/suspense')
  await page.getByRole('button', { name: 'Give to a business' }).first().click()
  await inDialog(page).getByLabel('Business', { exact: true }).fill(businessId)
  await inDialog(page).getByLabel('Reason', { exact: true }).fill('Its sender wrote to us')
  await press(inDialog(page), 'Propose')
  await waitForStatus(page, 'It is proposed. Another operator has to approve it under Adjustments.')
  await page.getByText('A proposal waits under Adjustments.').waitFor()
}

/** One operator proposes to send a payment of 3 USDC in suspense back, and another one approves it. */
export async function sendBack(author: Page, second: Page): Promise<void> {
  const to = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
  await go(author, '/dashboard/platform/suspense')
  await author.getByRole('button', { name: /^Send back: 3 USDC/ }).click()
  await inDialog(author).getByLabel('Address on Stellar').fill('nowhere')
  await inDialog(author).getByLabel('Memo', { exact: true }).fill('17')
  await inDialog(author).getByLabel('Kind of memo').selectOption('id')
  await inDialog(author).getByLabel('Reason', { exact: true }).fill('Its sender has named this address')
  await press(inDialog(author), 'Propose')
  await inDialog(author).locator('.field-error').waitFor()
  await inDialog(author).getByLabel('Address on Stellar').fill(to)
  await press(inDialog(author), 'Propose')
  await waitForStatus(author, 'It is proposed. Another operator has to approve it under Adjustments.')
  await go(second, '/dashboard/platform/adjustments?state=waiting')
  const row = second.getByRole('row', { name: 'Its sender has named this address' })
  await row.getByText(`Goes back to ${to} with memo 17 (id)`).waitFor()
  await row.getByRole('button', { name: 'Approve' }).click()
  const ask = await dialog(second, 'Approve this adjustment?')
  await ask.getByText(to).waitFor()
  await press(ask, 'Approve adjustment')
  await waitForStatus(second, 'It is approved. The payment is sent back.')
  await go(second, '/dashboard/platform/suspense?state=returning')
  await second.getByRole('row', { name: '3 USDC' }).getByText('Goes back').waitFor()
}
