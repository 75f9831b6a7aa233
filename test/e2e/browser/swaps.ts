import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { SwapBody } from '../../support/swaps.ts'
import { go, press } from './world.ts'

/** Finds swaps by their state, and reads of a failed one its transactions and what it left allowed. */
export async function find(page: Page, at: string, failed: SwapBody): Promise<void> {
  await go(page, `${at}/swaps`)
  const rows = page.getByRole('table', { name: 'Swaps' }).getByRole('row')
  expect(await rows.count()).toBe(3)
  await page.getByLabel('State', { exact: true }).selectOption('Failed')
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await rows.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Swap of 100 USDT for USDC' }).waitFor()
  await page.getByText('It was in a block and failed there').waitFor()
  await page.getByText('was left allowed to take 100 USDT from 0x').waitFor()
  const steps = await page.getByRole('table', { name: 'Transactions' }).getByRole('row').allTextContents()
  const [reset, approval] = failed.steps.map(({ txHash }) => txHash)
  expect(steps).toEqual([
    'StepStateTransaction',
    `Allowance to zeroConfirmed${reset}`,
    `ApprovalConfirmed${approval}`,
    `SwapFailed${failed.txHash}`,
  ])
  expect(await page.getByRole('button', { name: 'Refresh' }).count()).toBe(0)
  await go(page, `${at}/swaps?chain=solana`)
  await page.getByText('Nothing was found.').waitFor()
}
