import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { demoPassword } from '../../support/stack.ts'
import { curl } from './call.ts'
import {
  chooseAction,
  dialog,
  expectHidden,
  follow,
  go,
  heading,
  press,
  settled,
  type Visitor,
  visit,
  type World,
  waitForStatus,
} from './world.ts'

/** Copies a secret that a dialog shows once, and closes it. */
export async function takeSecret(world: World, page: Page, title: string, name: string): Promise<string> {
  const shown = await dialog(page, title)
  const secret = await shown.getByLabel(name).inputValue()
  world.secrets.add(secret.split('#').at(-1) ?? secret)
  await press(shown, 'I have stored it')
  await shown.waitFor({ state: 'detached' })
  await expectHidden(page, secret)
  return secret
}

/** @returns the link for the invited person */
export async function invite(
  world: World,
  page: Page,
  email: string,
  role: 'Owner' | 'Developer' | 'Viewer',
): Promise<string> {
  await press(page, 'Invite a member')
  const open = await dialog(page, 'Invite a member')
  await open.getByLabel('Email').fill(email)
  await open.getByLabel(role).check()
  await open.getByLabel('I hand it over').check()
  await press(open, 'Make invitation')
  const link = await takeSecret(world, page, 'Invitation made', 'Invitation link')
  expect(new URL(link).search).toBe('')
  return link
}

/** Opens an account by a link, in a new browser context. */
export async function accept(world: World, link: string, name: string): Promise<Visitor> {
  const newcomer = await visit(world)
  const { page } = newcomer
  await go(page, link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await press(page, 'Open account')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await settled(page)
  expect(page.url()).not.toContain('#')
  const another = await visit(world, { answersFail: true })
  await go(another.page, link)
  await another.page.getByText('This link does not work.').waitFor()
  await another.context.close()
  return newcomer
}

export async function changeRole(page: Page, email: string, role: string): Promise<void> {
  await press(page, `Change role of ${email}`)
  const change = await dialog(page, 'Change role')
  await change.getByLabel(role).check()
  await press(change, 'Save role')
  await waitForStatus(page, `${email}: ${role} from now on.`)
}

/** Everything on a page that can be pressed or filled, except navigation and tips. */
export async function controlsOn(page: Page, address: string): Promise<string[]> {
  await follow(page, address)
  const main = page.getByRole('main')
  const names = await main
    .getByRole('button')
    .and(page.locator(':not(.tip-of, .state-chips .chip)'))
    .allTextContents()
  for (const box of await main.getByRole('checkbox').all())
    if (await box.isEnabled()) names.push((await box.getAttribute('aria-label')) ?? 'checkbox')
  return names
}

/** Accepts USDC only, sees that a session in USDT is refused, and accepts everything again. */
export async function narrowPayments(world: World, page: Page): Promise<void> {
  const { apiKey } = world.stack
  const session = (token: string) =>
    curl(world, apiKey, '/pos/sessions', { chain: 'ethereum', token, amount: '10' })
  expect(await session('USDT')).toMatchObject({ status: 201 })
  await page.getByLabel('Accept only what I tick').check()
  const accepted = page.getByRole('table', { name: 'Accepted networks and tokens' })
  for (const box of await accepted.getByRole('checkbox').all())
    await box.setChecked((await box.getAttribute('aria-label')) === 'USDC on Ethereum')
  await press(page, 'Save payments')
  await waitForStatus(page, 'The payment settings are saved.')
  expect(await session('USDC')).toMatchObject({ status: 201 })
  const refused = await session('USDT')
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('USDT')])
  await page.reload()
  await settled(page)
  expect(await accepted.getByLabel('USDC on Ethereum').isChecked()).toBe(true)
  expect(await accepted.getByLabel('USDT on Ethereum').isChecked()).toBe(false)
  await page.getByLabel('Accept everything').check()
  await press(page, 'Save payments')
  await waitForStatus(page, 'The payment settings are saved.')
  expect(await session('USDT')).toMatchObject({ status: 201 })
}

/**
 * Switches autosweep on for a token by the keyboard, is shown a wrong threshold at its field, and finds both
 * after a reload.
 */
export async function switchAutosweepOn(page: Page): Promise<void> {
  const sweep = page.getByLabel('Sweep USDC on Ethereum')
  const threshold = page.getByLabel('Threshold of USDC on Ethereum')
  expect(await sweep.isChecked()).toBe(false)
  await sweep.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('12.0000001')
  await page.keyboard.press('Enter')
  await page.getByText('May have 6 decimals at most.').waitFor()
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Threshold of USDC on Ethereum',
  )
  await threshold.fill('12.50')
  await press(page, 'Save autosweep')
  await waitForStatus(page, 'The autosweep settings are saved.')
  await page.reload()
  await settled(page)
  expect([await sweep.isChecked(), await threshold.inputValue()]).toEqual([true, '12.5'])
}

/**
 * Adds the first endpoint of a business, changes its address and its secret, and removes it. @returns both
 * secrets
 */
export async function setWebhooks(world: World, page: Page): Promise<string[]> {
  await press(page, 'Add endpoint')
  const add = await dialog(page, 'Add an endpoint')
  await add.getByLabel('Endpoint URL').fill('not a url')
  await press(add, 'Add endpoint')
  await add.getByText('Enter a whole URL').waitFor()
  await add.getByLabel('Endpoint URL').fill('https://shop.example/cowry')
  await press(add, 'Add endpoint')
  const first = await takeSecret(world, page, 'Your signing secret', 'Signing secret')
  await page.getByRole('link', { name: 'https://shop.example/cowry' }).click()
  await settled(page)
  await press(page, 'Change')
  const change = await dialog(page, 'Change this endpoint')
  await change.getByLabel('Endpoint URL').fill('https://shop.example/cowry/2')
  await press(change, 'Save changes')
  await waitForStatus(page, 'The endpoint is changed.')
  await page.getByRole('heading', { name: 'https://shop.example/cowry/2' }).waitFor()
  await chooseAction(page, 'New secret')
  await press(await dialog(page, 'Make a new signing secret?'), 'Make new secret')
  const second = await takeSecret(world, page, 'Your signing secret', 'Signing secret')
  await page.getByText('Two signatures until').waitFor()
  await page.reload()
  await settled(page)
  for (const secret of [first, second]) await expectHidden(page, secret)
  await chooseAction(page, 'Remove')
  await press(await dialog(page, 'Remove this endpoint?'), 'Remove endpoint')
  await page.getByText('Nothing is sent yet.').waitFor()
  return [first, second]
}

/**
 * Monitors an address with metadata, sees that adding it twice is refused, removes the metadata, and stops.
 */
export async function monitor(page: Page): Promise<void> {
  const address = `0x${'ab'.repeat(20)}`
  const add = async (metadata: string) => {
    await press(page, 'Monitor an address')
    const open = await dialog(page, 'Monitor an address')
    await open.getByLabel('Address').fill(address)
    await open.getByLabel('Metadata').fill(metadata)
    await press(open, 'Monitor address')
  }
  await add('{"order": "1234"}')
  const row = page.getByRole('row', { name: new RegExp(address, 'i') })
  await row.getByText('Show').click()
  await row.getByText('"order": "1234"').waitFor()
  await add('{"order": "another"}')
  await waitForStatus(page, /was already monitored/)
  await row.getByRole('button', { name: /^Change/ }).click()
  const change = await dialog(page, 'Change this entry')
  await change.getByLabel('Metadata').fill('')
  await press(change, 'Save changes')
  await row.getByText('None').waitFor()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await press(await dialog(page, 'Stop monitoring this address?'), 'Stop monitoring')
  await page.getByText('No address is monitored yet.').waitFor()
}

/** Headings of the entries of a log, the newest first. */
export const entries = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Entries' }).locator('> li .strong').allInnerTexts()

export async function searchLog(page: Page, q: string): Promise<void> {
  await page.getByLabel('Search', { exact: true }).fill(q)
  await Promise.all([page.waitForURL((url) => url.searchParams.get('q') === q), press(page, 'Search')])
  await settled(page)
}

/** Opens a business as an operator of the platform. @returns the link for its owner */
export async function openBusiness(
  world: World,
  page: Page,
  name: string,
  ownerEmail: string,
): Promise<string> {
  await press(page, 'Open a business')
  const open = await dialog(page, 'Open a business')
  await open.getByLabel('Name', { exact: true }).fill(name)
  await open.getByLabel('Email of the owner').fill(ownerEmail)
  await open.getByLabel('I hand it over').check()
  await press(open, 'Open business')
  return takeSecret(world, page, 'The business is open', 'Invitation link')
}

export async function approve(page: Page, name: string): Promise<void> {
  await press(page, 'Approve')
  await press(await dialog(page, `Approve ${name}?`), 'Approve business')
  await waitForStatus(page, 'The business is approved.')
}

export async function suspend(page: Page, name: string, reason: string): Promise<void> {
  await press(page, 'Suspend')
  const sure = await dialog(page, `Suspend ${name}?`)
  await sure.getByLabel('Reason').fill(reason)
  await press(sure, 'Suspend business')
  await waitForStatus(page, 'The business is suspended.')
  expect(await heading(page)).toBe(name)
}
