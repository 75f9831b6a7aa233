import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Stack } from '../../support/stack.ts'
import { endStake, makePlan, makeStake } from '../../support/stakeRow.ts'
import { slowAnswers } from './slowAnswers.ts'
import { dialog, go, press, waitForStatus } from './world.ts'

const from = `0x${'1'.repeat(40)}`
const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const one = 1_000_000n

/** A stake of 100 USDC that earns nothing. @returns its id */
export async function makeShownStake(db: Stack['db'], businessId: string): Promise<string> {
  const planId = await makePlan(db, { apy: '0' })
  return makeStake(db, { planId, businessId, from, amount: 100n * one, token: usdc, apy: '0' })
}

/** Finds an unstaked one by its state, and reads what it costs. */
export async function find(page: Page, { db }: Stack, businessId: string): Promise<void> {
  const at = `/dashboard/b/${businessId}/stakes`
  await go(page, at)
  await page.getByText('There is no stake yet.').waitFor()
  await makeShownStake(db, businessId)
  const planId = await makePlan(db, { apy: '0' })
  const ended = await makeStake(db, { planId, businessId, from, amount: 50n * one, token: usdc, apy: '0' })
  await endStake(db, ended, { penalty: one })
  await go(page, at)
  const table = page.getByRole('table', { name: 'Stakes' })
  expect(await table.getByRole('link').count()).toBe(2)
  await page.getByLabel('State', { exact: true }).selectOption('Unstaked')
  await press(page, 'Search')
  await page.getByText('1 of 1 shown').waitFor()
  await table.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Stake of 50 USDC' }).waitFor()
  const factOf = (name: string) =>
    page.locator('.facts > div', { hasText: name }).first().locator('dd').textContent()
  expect([await factOf('Penalty'), await factOf('Net amount')]).toEqual(['1 USDC', '49 USDC'])
  const native = await makeStake(db, { planId, businessId, from, amount: 7n, apy: '0', confirmedAt: null })
  await db.query(
    `update stakes set type = 'native', chain = 'solana', token = 'SOL', decimals = 9, amount = 7000000000, staked_amount = 7000000000, rent = 2282880, confirmed_at = now(),
       chain_state = 'deactivating', status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0, withdrawable_at = now() + interval '1 day'
     where id = $1`,
    [native],
  )
  await go(page, `${at}/${native}`)
  await page.getByRole('heading', { level: 1, name: 'Stake of 7 SOL' }).waitFor()
  expect([await factOf('Type'), await factOf('Note')]).toEqual(['Native', 'Cools down until the epoch ends'])
  expect(await factOf('Can be withdrawn from')).not.toBe('')
  await go(page, `${at}?chain=polygon`)
  await page.getByText('Nothing was found.').waitFor()
}

/** An operator creates a plan, changes and stops it; a wrong field is named. */
export async function operate(page: Page, { db }: Stack): Promise<void> {
  const termsOf = (name: string) =>
    db.query<{ apy: string; stopped: boolean }>(
      'select apy::float8::text as apy, stopped_at is not null as stopped from staking_plans where name = $1',
      [name],
    )
  await go(page, '/dashboard/platform/plans')
  await press(page, 'Create plan')
  const form = await dialog(page, 'Create a staking plan')
  const fields = {
    Token: 'USDC',
    Name: 'USDC, a year',
    'Rewards of a year': '5.5',
    'Days locked': '365',
    Penalty: '2',
    'Minimum amount': '100',
  }
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByLabel('Maximum amount').fill('10')
  await form.getByLabel('Type', { exact: true }).selectOption('Native')
  await press(form, 'Create')
  await form.getByText('has no native stakes').waitFor()
  await form.getByLabel('Type', { exact: true }).selectOption('Pooled')
  await press(form, 'Create')
  await form.getByText('must not be below minAmount').waitFor()
  await form.getByLabel('Maximum amount').fill('1000')
  await press(form, 'Create')
  await waitForStatus(page, 'The plan takes stakes from now on.')
  expect(await termsOf('USDC, a year')).toEqual([{ apy: '5.5', stopped: false }])
  await press(page, 'Change USDC, a year')
  const change = await dialog(page, 'Change the staking plan')
  await change.getByLabel('Rewards of a year').fill('4.25')
  const endSlow = await slowAnswers(page, /staking-plans/)
  await press(change, 'Save')
  await waitForStatus(page, 'The plan is changed, for stakes from now on.')
  // Who changes it again at once sends the terms of now, not those of before.
  await press(page, 'Change USDC, a year')
  expect(await change.getByLabel('Rewards of a year').inputValue()).toBe('4.25')
  await press(change, 'Cancel')
  await endSlow()
  expect(await termsOf('USDC, a year')).toEqual([{ apy: '4.25', stopped: false }])
  await press(page, 'Stop USDC, a year')
  await press(await dialog(page, 'Stop the staking plan?'), 'Stop plan')
  await waitForStatus(page, 'The plan is stopped.')
  expect(await termsOf('USDC, a year')).toEqual([{ apy: '4.25', stopped: true }])
  await page.getByText('Stopped', { exact: true }).first().waitFor()
}
