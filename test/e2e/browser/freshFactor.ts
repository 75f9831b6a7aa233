import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { someAddress } from '../../support/madeRefunds.ts'
import { createAuthenticator } from './authenticator.ts'
import { focusIsOn } from './keyboard.ts'
import { dialog, go, press, type World, waitForStatus } from './world.ts'

interface Who {
  id: string
  password: string
}

/**
 * Switches two-step sign-in on. @returns what makes the factor six minutes old, and gives it where the
 * dashboard requests it
 */
export async function useOldFactor({ stack: { db } }: World, page: Page, who: Who) {
  await go(page, '/dashboard/account')
  await press(page, 'Set up')
  const setUp = await dialog(page, 'Set up two-step sign-in')
  await setUp.getByLabel('Password', { exact: true }).fill(who.password)
  await press(setUp, 'Continue')
  const secret = ((await setUp.locator('code').textContent()) ?? '').replace(/\s/g, '')
  // A new one each time: the database forgets which code was used last.
  const next = async () => {
    await db.query('update accounts set totp_last_step = 0 where id = $1', [who.id])
    return createAuthenticator(secret).next()
  }
  await setUp.getByLabel('Code', { exact: true }).fill(await next())
  await press(setUp, 'Switch on')
  await press(await dialog(page, 'Your recovery codes'), 'I have stored them')
  return {
    age: () =>
      db.query(
        "update sign_ins set factor_at = now() - interval '6 minutes' where account_id = $1 and factor is not null",
        [who.id],
      ),
    async give() {
      const ask = await dialog(page, 'Confirm that it is you')
      await ask.getByLabel('Code', { exact: true }).fill(await next())
      await press(ask, 'Confirm')
      await ask.waitFor({ state: 'detached' })
    },
  }
}

/** Each dialog of an operation that needs a fresh factor requests it, and goes on by itself. */
export async function requestInEach(
  world: World,
  page: Page,
  who: Who,
  { at, sessionId }: { at: string; sessionId: string },
): Promise<void> {
  const factor = await useOldFactor(world, page, who)
  await factor.age()
  await page.getByLabel('Current password').fill(who.password)
  await page.getByLabel('New password').fill(who.password)
  await press(page, 'Change password')
  await factor.give()
  await waitForStatus(page, 'Your password is changed.')

  await factor.age()
  await go(page, `${at}/members`)
  await press(page, 'Invite a member')
  const invite = await dialog(page, 'Invite a member')
  await invite.getByLabel('Email').fill('edsger@shop.example')
  await invite.getByLabel('I hand it over').check()
  await press(invite, 'Make invitation')
  // Escape closes the dialog on top alone, and the focus goes back into the one below.
  const first = await dialog(page, 'Confirm that it is you')
  await page.keyboard.press('Escape')
  await first.waitFor({ state: 'detached' })
  await focusIsOn(page, 'Make invitation')
  expect(await invite.getByLabel('Email').inputValue()).toBe('edsger@shop.example')
  await press(invite, 'Make invitation')
  await factor.give()
  await press(await dialog(page, 'Invitation made'), 'I have stored it')

  await factor.age()
  await go(page, `${at}/settings/api-keys`)
  await press(page, 'Create key')
  const create = await dialog(page, 'Create an API key')
  await create.getByLabel('Name').fill('Till')
  await create.getByLabel('Write', { exact: false }).first().check()
  await press(create, 'Create key')
  await factor.give()
  await press(await dialog(page, 'Your new API key'), 'I have stored it')

  await factor.age()
  await go(page, `${at}/payments/${sessionId}`)
  await press(page, 'Refund')
  const form = await dialog(page, 'Refund this payment')
  await form.getByLabel('Address on Ethereum').fill(someAddress())
  await press(form, 'Continue')
  const ask = await dialog(page, 'Refund this?')
  await press(ask, 'Refund')
  // Without the factor nothing is refunded, and the form stays.
  await press(await dialog(page, 'Confirm that it is you'), 'Cancel')
  await ask.getByRole('alert').waitFor()
  expect(await world.stack.db.query('select 1 from outflows where session_id = $1', [sessionId])).toEqual([])
  await press(ask, 'Refund')
  await factor.give()
  await waitForStatus(page, /^The refund of .+ is created\.$/)
}

/** The same for an approval. */
export async function requestApproval(
  page: Page,
  at: string,
  factor: Awaited<ReturnType<typeof useOldFactor>>,
): Promise<void> {
  await factor.age()
  await go(page, `${at}/approvals`)
  await press(page.getByRole('row', { name: 'Refund on Ethereum' }), 'Approve')
  await press(await dialog(page, 'Approve this refund?'), 'Approve refund')
  await factor.give()
  await waitForStatus(page, 'The refund is approved. It is sent now.')
}
