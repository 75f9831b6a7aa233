import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitFor } from '../../support/waitFor.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { curl } from './call.ts'
import { readQr } from './qr.ts'
import {
  chooseAction,
  dialog,
  expectHidden,
  givePassword,
  heading,
  press,
  settled,
  type World,
  waitForStatus,
} from './world.ts'

const cheap = '/settings/finality'
/** From a documentation network: no request comes from there. */
const elsewhere = '203.0.113.7'

export interface SecondFactor {
  authenticator: Authenticator
  recoveryCodes: string[]
}

/** Switches two-step sign-in on at the account's page. The typed and the scanned secret are the same. */
export async function enableTotp(
  world: World,
  page: Page,
  who: { email: string; password: string },
): Promise<SecondFactor> {
  await press(page, 'Set up')
  const setUp = await dialog(page, 'Set up two-step sign-in')
  await setUp.getByLabel('Password', { exact: true }).fill(who.password)
  await press(setUp, 'Continue')
  const secret = ((await setUp.locator('code').textContent()) ?? '').replace(/\s/g, '')
  world.secrets.add(secret)
  const uri = new URL(
    readQr(
      (await setUp.getByRole('img', { name: 'QR code of the secret' }).locator('path').getAttribute('d')) ??
        '',
    ),
  )
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    `/Cowry:${who.email}`,
  ])
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'Cowry',
    digits: '6',
    period: '30',
    algorithm: 'SHA1',
  })
  const authenticator = createAuthenticator(secret)
  await setUp.getByLabel('Code', { exact: true }).fill(await authenticator.next())
  await press(setUp, 'Switch on')
  const shown = await dialog(page, 'Your recovery codes')
  const recoveryCodes = await shown.getByRole('listitem').allInnerTexts()
  for (const code of recoveryCodes) world.secrets.add(code)
  await press(shown, 'I have stored them')
  await page.getByText(`${recoveryCodes.length} recovery codes are left.`).waitFor()
  return { authenticator, recoveryCodes }
}

/** Creates a key and copies it. @returns the key from the clipboard */
export async function createKey(world: World, page: Page, name: string): Promise<string> {
  await press(page, 'Create key')
  const create = await dialog(page, 'Create an API key')
  await create.getByLabel('Name').fill(name)
  await press(create, 'Create key')
  const shown = await dialog(page, 'Your new API key')
  await press(shown, 'Copy API key')
  await waitForStatus(page, 'Copied.')
  const key = await shown.getByLabel('API key').inputValue()
  world.secrets.add(key)
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await press(shown, 'I have stored it')
  await expectHidden(page, key)
  return key
}

export async function seeLastUse(world: World, page: Page, key: string, name: string): Promise<void> {
  const row = page.getByRole('row', { name })
  expect(await row.textContent()).toContain('Never')
  expect(await curl(world, key, cheap)).toMatchObject({ status: 200 })
  // A use is stored within seconds, not at once.
  await waitFor('the last use', async () => {
    await page.reload()
    await settled(page)
    return (await row.textContent())?.includes('from 127.0.0.1')
  })
  expect(await row.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/)
  await expectHidden(page, key)
}

/** Restricts the key to a foreign address, and lifts the restriction again. */
export async function restrict(world: World, page: Page, key: string, name: string): Promise<void> {
  await page.getByRole('link', { name }).click()
  await settled(page)
  await allow(page, elsewhere)
  await page.getByRole('main').getByText(elsewhere).waitFor()
  expect(await curl(world, key, cheap)).toMatchObject({ status: 403 })
  await allow(page, '127.0.0.0/8')
  expect(await curl(world, key, cheap)).toMatchObject({ status: 200 })
}

async function allow(page: Page, addresses: string): Promise<void> {
  await press(page, 'Change')
  const change = await dialog(page, 'Change this key')
  await change.getByLabel('Allowed addresses').fill(addresses)
  await press(change, 'Save changes')
  await change.waitFor({ state: 'detached' })
}

export async function revoke(world: World, page: Page, key: string): Promise<void> {
  await chooseAction(page, 'Revoke')
  const sure = await dialog(page, 'Revoke this key?')
  await press(sure, 'Revoke key')
  await waitForStatus(page, 'The key is revoked.')
  await page.getByRole('button', { name: /Change|More actions/ }).waitFor({ state: 'detached' })
  expect(await curl(world, key, cheap)).toMatchObject({ status: 401, body: { error: 'Invalid API key' } })
}

/** Enters password and second factor. @returns `in`, or the message that was shown instead */
export async function signInWithCode(
  page: Page,
  who: { email: string; password: string },
  code: string,
): Promise<string> {
  await page.goto('/dashboard/sign-in')
  await givePassword(page, who.email, who.password)
  await page.getByLabel('Code', { exact: true }).fill(code)
  await press(page, 'Continue')
  const inside = page.getByRole('navigation', { name: 'Main' })
  await inside.or(refusal(page)).waitFor()
  return (await inside.isVisible()) ? 'in' : ((await refusal(page).textContent()) ?? '')
}

/** The error of a form. */
export const refusal = (page: Page) => page.getByRole('alert').or(page.locator('.field-error'))

export async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out')
  await page.waitForURL('**/dashboard/sign-in')
  await settled(page)
  expect(await heading(page)).toBe('Sign in')
}
