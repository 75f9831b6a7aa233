import type { Page } from 'playwright-core'
import { systemActor } from '../../../src/audit/recordAudit.ts'
import { setApproval } from '../../../src/businesses/operateBusinesses.ts'
import { makeInvitation, type Purpose } from '../../../src/members/invitations.ts'
import { addBusiness, addMember, addPerson, type Person } from '../../support/dashboardSession.ts'
import { demoPassword } from '../../support/stack.ts'
import { makeTransfers, makeWaitingTransfer } from '../../support/waitingTransfer.ts'
import { enableTotp, refusal } from './owner.ts'
import { addressOf, openPages } from './pages.ts'
import { examine } from './visits.ts'
import {
  givePassword,
  go,
  press,
  settled,
  signInWithCookie,
  visit,
  type World,
  waitForStatus,
} from './world.ts'

type See = (name: string) => Promise<void>

/** Examines pages in their unusual states. @returns faults */
export async function examineStates(
  world: World,
  records: Record<string, string>,
  operator: Person,
): Promise<string[]> {
  const faults: string[] = []
  const { page, context, leave } = await visit(world, { bypassCSP: true, answersFail: true })
  const see: See = async (name) => {
    await settled(page)
    faults.push(...(await examine(page, name)))
  }
  await invitations(world, page, see, records)
  await signingIn(world, page, see)
  await signInWithCookie(world, context, await addPerson(world.stack))
  await go(page, addressOf('/businesses', records))
  await see('no business')
  const several = await addPerson(world.stack)
  for (let i = 0; i < 2; i++) await addBusiness(world.stack, several)
  await signInWithCookie(world, context, several)
  await go(page, '/dashboard/account')
  await press(page, 'Save default')
  await waitForStatus(page, /^Your default is saved/)
  await press(page, 'Mail me a link')
  await page.getByText('A mail is on its way to').waitFor()
  await see('account with several businesses')
  await signInWithCookie(world, context, await addMember(world.stack, records.businessId ?? '', 'viewer'))
  await go(page, addressOf('/b/:businessId/settings/payments', records))
  await see('payments for a viewer')
  await signInWithCookie(world, context, operator)
  await suspended(world, page, see, operator)
  await inside(page, see, records)
  await leave()
  return faults
}

async function invitations(
  world: World,
  page: Page,
  see: See,
  records: Record<string, string>,
): Promise<void> {
  for (const route of openPages) {
    await go(page, addressOf(route, records))
    await see(route)
  }
  const { db } = world.stack
  const known = await addPerson(world.stack)
  const link = async (purpose: Purpose, email: string) => {
    const to =
      purpose === 'member' ? { businessId: records.businessId ?? '', role: 'developer' as const } : {}
    const { token } = await makeInvitation(db, { purpose, email, invitedBy: null, ...to })
    world.secrets.add(token.reveal())
    // The address differs in the fragment alone, which would load nothing.
    await page.goto('about:blank')
    await go(page, `/dashboard/invitation#${token.reveal()}`)
  }
  await link('member', 'newcomer@shop.example')
  await see('invitation of a newcomer')
  await press(page, 'Open account')
  await see('invitation with empty fields')
  await link('member', known.email)
  await see('invitation of a known account')
  await link('reset', known.email)
  await see('new password')
  await link('prove', known.email)
  await see('proof of an address')
  await addMember(world.stack, records.businessId ?? '', 'developer', known)
  await link('reset', known.email)
  await page.getByText('You leave them').waitFor()
  await see('new password that ends memberships')
}

async function signingIn(world: World, page: Page, see: See): Promise<void> {
  const person = await addPerson(world.stack)
  await go(page, '/dashboard/sign-in')
  await givePassword(page, person.email, 'not-the-password')
  await page.getByRole('alert').waitFor()
  await see('wrong password')
  await givePassword(page, person.email, demoPassword)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await go(page, '/dashboard/account')
  await enableTotp(world, page, { email: person.email, password: demoPassword })
  await press(page, 'Sign out')
  await page.waitForURL('**/dashboard/sign-in')
  await givePassword(page, person.email, demoPassword)
  await page.getByLabel('Code', { exact: true }).fill('no code')
  await press(page, 'Continue')
  await refusal(page).waitFor()
  await see('wrong code')
}

/**
 * A suspended business with held transfers, one of them signed elsewhere; an invalid cap; and a transfer that
 * is no longer held.
 */
async function suspended(world: World, page: Page, see: See, who: Person): Promise<void> {
  const { db } = world.stack
  const owner = await addPerson(world.stack)
  const [held, waiting] = [await addBusiness(world.stack, owner), await addBusiness(world.stack, owner)]
  const [elsewhere] = await makeTransfers(db, held, 3)
  await db.query("update intents set signer = 'external', wallet_id = null where id = $1", [elsewhere])
  await makeWaitingTransfer(db, waiting)
  const actor = systemActor('test')
  for (const id of [held, waiting])
    await setApproval(world.stack, actor, id, 'suspended', 'Documents are missing.')
  await go(page, `/dashboard/platform/businesses/${held}`)
  await page.getByLabel('Replays per day').fill('1.5')
  await press(page, 'Save caps')
  await page.getByText('Enter a whole number from 0').waitFor()
  await see('held transfers and a wrong cap')
  await page
    .getByRole('button', { name: /^Give up/ })
    .first()
    .click()
  await setApproval(world.stack, actor, held, 'approved', null)
  await press(page, 'Give up transfer')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await see('transfer that is not held any more')
  await addMember(world.stack, waiting, 'owner', who)
  await go(page, `/dashboard/b/${waiting}/approvals`)
  await page.getByText('Held: the business is suspended.').waitFor()
  await see('approval of a held transfer')
}

async function inside(page: Page, see: See, records: Record<string, string>): Promise<void> {
  await go(page, '/dashboard/no/such/page')
  await see('no such page')
  await page.setViewportSize({ width: 375, height: 740 })
  await press(page, 'Menu')
  await see('menu')
  await go(page, `${addressOf('/b/:businessId/audit', records)}?q=nothing-has-this-name`)
  await see('nothing found')
  await page.route('**/dashboard/api/businesses/*/keys*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something broke', requestId: 'some-request' } }),
  )
  await go(page, addressOf('/b/:businessId/settings/api-keys', records))
  await page.getByRole('alert').waitFor()
  await see('failed')
}
