import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { freePort } from '../../../scripts/local/freePort.ts'
import { addPerson } from '../../support/dashboardSession.ts'
import { demoPassword } from '../../support/stack.ts'
import { refusal, signOut } from './owner.ts'
import { dialog, givePassword, go, press, settled, visit, type World, waitForStatus } from './world.ts'

/** Examines a page, perhaps with a dialog open. */
type See = (page: Page, name: string, title?: string) => Promise<void>

/** Gives a page a virtual authenticator that confirms every request. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const options = {
    ...kind,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
}

/** Fills the open dialog, which requests the password again. */
async function confirm(open: Locator, button: string, more: Record<string, string> = {}): Promise<void> {
  for (const [label, text] of Object.entries(more)) await open.getByLabel(label, { exact: true }).fill(text)
  await open.getByLabel('Password', { exact: true }).fill(demoPassword)
  await press(open, button)
}

/** A passkey from creation to removal, in Chromium, with its virtual authenticator. */
export async function usePasskeys(world: World, see: See): Promise<void> {
  const who = await addPerson(world.stack)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  await world.stack.start('api', { BASE_URL: origin, PORT: `${port}` }, { as: 'at-its-address' })
  const { page, leave } = await visit(world, { bypassCSP: true, answersFail: true })
  await addAuthenticator(page)
  const signIn = async () => {
    await go(page, `${origin}/dashboard/sign-in`)
    await givePassword(page, who.email, demoPassword)
  }
  const inside = () => page.getByRole('navigation', { name: 'Main' }).waitFor()

  await signIn()
  await inside()
  await go(page, `${origin}/dashboard/account`)
  await page.getByText('There is no passkey yet.').waitFor()
  await press(page, 'Add a passkey')
  await confirm(await dialog(page, 'Add a passkey'), 'Add passkey', { Name: 'Laptop' })
  const shown = await dialog(page, 'Your recovery codes')
  const codes = await shown.getByRole('listitem').allInnerTexts()
  for (const code of codes) world.secrets.add(code)
  expect(new Set(codes).size).toBe(10)
  await press(shown, 'I have stored them')
  await page.getByText('10 recovery codes are left.').waitFor()
  await page.getByRole('row', { name: 'Laptop' }).getByText('Never').waitFor()

  await press(page, 'Rename passkey Laptop')
  const rename = await dialog(page, 'Rename this passkey')
  await see(page, 'account: rename a passkey', 'Rename this passkey')
  await rename.getByLabel('Name', { exact: true }).fill('Old laptop')
  await press(rename, 'Save name')
  await waitForStatus(page, 'The passkey is renamed.')

  // The same device cannot add a second passkey; its existing one confirms the request.
  await press(page, 'Add a passkey')
  const again = await dialog(page, 'Add a passkey')
  await see(page, 'account: another passkey')
  await confirm(again, 'Add passkey', { Name: 'The same' })
  await refusal(page).filter({ hasText: 'This device already has a passkey of your account.' }).waitFor()
  await press(again, 'Cancel')

  await signOut(page)
  await signIn()
  await page.getByRole('button', { name: 'Use a passkey', exact: true }).waitFor()
  await settled(page)
  await see(page, 'sign-in: second step by a passkey')
  await press(page, 'Use a passkey')
  await inside()
  await signOut(page)
  await signIn()
  await page.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '')
  await press(page, 'Continue')
  await inside()

  await go(page, `${origin}/dashboard/account`)
  await page.getByText('9 recovery codes are left.').waitFor()
  await see(page, 'account with a passkey')
  await press(page, 'Make new recovery codes')
  await confirm(await dialog(page, 'Make new recovery codes'), 'Make new codes')
  const fresh = await dialog(page, 'Your recovery codes')
  for (const code of await fresh.getByRole('listitem').allInnerTexts()) world.secrets.add(code)
  await press(fresh, 'I have stored them')

  await expectRefusedElsewhere(world, page, who.email)

  await go(page, `${origin}/dashboard/account`)
  await press(page, 'Remove passkey Old laptop')
  const remove = await dialog(page, 'Remove this passkey?')
  await see(page, 'account: remove a passkey', 'Remove this passkey?')
  await confirm(remove, 'Remove passkey')
  await waitForStatus(page, 'The passkey is removed.')
  await page.getByText('There is no passkey yet.').waitFor()
  await signOut(page)
  await signIn()
  await inside()
  await leave()
  await world.stack.stop('at-its-address')
}

/** The same device at another address, here the second process: the browser offers no passkey. */
async function expectRefusedElsewhere(world: World, page: Page, email: string): Promise<void> {
  await go(page, `${world.origin}/dashboard/sign-in`)
  await givePassword(page, email, demoPassword)
  await press(page, 'Use a passkey')
  await refusal(page)
    .filter({ hasText: 'Passkeys work only at the address that this platform was set up with.' })
    .waitFor()
}
