import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setLogo } from '../../src/businesses/logo/logo.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Person,
  sessionOf,
} from '../support/dashboardSession.ts'
import { makeBridgeRow } from '../support/madeBridge.ts'
import { makeCollection } from '../support/madeCollection.ts'
import { someAddress } from '../support/madeRefunds.ts'
import { makeSuspense } from '../support/madeSuspense.ts'
import { makeSwaps } from '../support/madeSwaps.ts'
import { makeVerificationRow } from '../support/madeVerifications.ts'
import { makePaymentLink } from '../support/paymentLinkRow.ts'
import { demoPassword } from '../support/stack.ts'
import type { SwapBody } from '../support/swaps.ts'
import { makeTransfers, makeWaitingTransfer } from '../support/waitingTransfer.ts'
import * as books from './browser/books.ts'
import * as bridge from './browser/bridge.ts'
import * as collections from './browser/collections.ts'
import { openDialogs } from './browser/dialogs.ts'
import { failAndRecover, shortenPauses, signInAgain, theBusiness, whoIsSignedIn } from './browser/failures.ts'
import { runsInjected, signOutFromElsewhere, signOutWithoutHeader } from './browser/foreign.ts'
import * as freshFactor from './browser/freshFactor.ts'
import { createKeyByKeyboard, signInByKeyboard } from './browser/keyboard.ts'
import * as operating from './browser/operator.ts'
import * as owner from './browser/owner.ts'
import { addressOf, dialogCount, dialogTitles, openPages, pages, redirects } from './browser/pages.ts'
import { usePasskeys } from './browser/passkeys.ts'
import * as payments from './browser/payments.ts'
import * as payouts from './browser/payouts.ts'
import * as refunds from './browser/refunds.ts'
import * as staking from './browser/staking.ts'
import { examineStates } from './browser/states.ts'
import * as swaps from './browser/swaps.ts'
import * as team from './browser/team.ts'
import { examine } from './browser/visits.ts'
import { makeWebhooks } from './browser/webhooks.ts'
import {
  createWorld,
  dialog,
  expectHidden,
  follow,
  givePassword,
  go,
  heading,
  press,
  settled,
  type Visitor,
  visit,
  type World,
} from './browser/world.ts'

/** A PNG. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let world: World
beforeAll(async () => {
  world = await createWorld()
  world.secrets.add(demoPassword)
  // Installs Chromium where it is missing.
}, 600_000)
afterAll(() => world?.close())

describe('the owner of a business', () => {
  const who = { email: demoEmail, password: demoPassword }
  const keyName = 'Checkout of the shop'
  let here: Visitor
  let page: Page
  let key: string
  let second: owner.SecondFactor
  beforeAll(async () => {
    here = await visit(world)
    page = here.page
  })
  afterAll(() => here?.leave())

  test('is refused with a wrong password, and signs in with the right one', async () => {
    await go(page, '/dashboard/')
    expect(await heading(page)).toBe('Sign in')
    await givePassword(page, who.email, 'not-the-password')
    await page.getByRole('alert').waitFor()
    await givePassword(page, who.email, who.password)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  test('switches two-step sign-in on with a secret that an authenticator reads', async () => {
    await page.getByRole('link', { name: /^Account/ }).click()
    await settled(page)
    second = await owner.enableTotp(world, page, who)
    expect(new Set(second.recoveryCodes).size).toBe(10)
  })

  test('creates a key, copies it, and never sees it again', async () => {
    await page.goto(`/dashboard/b/${world.stack.businessId}/settings/api-keys`)
    await settled(page)
    key = await owner.createKey(world, page, keyName)
    await page.reload()
    await settled(page)
    await expectHidden(page, key)
  })

  test('sees when and from where the key was used', () => owner.seeLastUse(world, page, key, keyName))
  test('restricts its addresses, and it is refused with 403', () => owner.restrict(world, page, key, keyName))
  test('revokes it, and it is refused with 401', () => owner.revoke(world, page, key))

  test('signs in by a code of the authenticator, and by a recovery code, which works once', async () => {
    const [code = ''] = second.recoveryCodes
    await owner.signOut(page)
    expect(await owner.signInWithCode(page, who, await second.authenticator.next())).toBe('in')
    await owner.signOut(page)
    expect(await owner.signInWithCode(page, who, code)).toBe('in')
    await owner.signOut(page)
    expect(await owner.signInWithCode(page, who, code)).toBe('The code is wrong, or it was used before.')
  })

  test('signs out everywhere, which ends every session', async () => {
    const [, one = '', two = ''] = second.recoveryCodes
    const other = await visit(world, { answersFail: true })
    expect(await owner.signInWithCode(page, who, one)).toBe('in')
    expect(await owner.signInWithCode(other.page, who, two)).toBe('in')
    await page.goto('/dashboard/account')
    await settled(page)
    await press(page, 'Sign out everywhere')
    await press(await dialog(page, 'Sign out everywhere?'), 'Sign out everywhere')
    await page.waitForURL('**/dashboard/sign-in')
    await other.page.getByRole('link', { name: 'Payments', exact: true }).click()
    await other.page.waitForURL('**/dashboard/sign-in?return=*')
    await other.leave()
    await go(page, '/dashboard/account')
    expect(await heading(page)).toBe('Sign in')
  })
})

describe('a business and its members', () => {
  const newcomer = 'grace@shop.example'
  let person: Person
  let businessId: string
  let here: Visitor
  let page: Page
  const at = (path: string) => `/dashboard/b/${businessId}/${path}`
  beforeAll(async () => {
    person = await addPerson(world.stack)
    businessId = await addBusiness(world.stack, person)
    here = await visit(world, { as: person })
    page = here.page
  })
  afterAll(() => here?.leave())

  test('shows what to do where a list is empty', async () => {
    await go(page, at('settings/api-keys'))
    await page.getByText('There is no API key yet.').waitFor()
    await go(page, at('settings/webhooks'))
    await page.getByText('Nothing is sent yet.').waitFor()
    await go(page, at('webhooks'))
    await page.getByText('Nothing happened yet.').waitFor()
    await go(page, at('monitoring'))
    await page.getByText('No address is monitored yet.').waitFor()
    await go(page, at('members'))
    await page.getByText('No invitation waits for an answer.').waitFor()
    const outsider = await visit(world, { as: await addPerson(world.stack) })
    await go(outsider.page, '/dashboard/')
    await outsider.page.getByText('You belong to no business yet.').waitFor()
    await outsider.leave()
  })

  test('shows an endpoint, and its secret once', async () => {
    await go(page, at('settings/webhooks'))
    const secrets = await team.setWebhooks(world, page)
    expect(new Set(secrets).size).toBe(2)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_/)
  })

  test('monitors an address, and stops', async () => {
    await go(page, at('monitoring'))
    await team.monitor(page)
  })

  test('invites a developer by a link; as a viewer they are offered nothing that would be refused', async () => {
    await go(page, at('members'))
    const joined = await team.accept(world, await team.invite(world, page, newcomer, 'Developer'), 'Grace')
    expect(await team.controlsOn(joined.page, at('settings/api-keys'))).toContain('Create key')
    expect(await team.controlsOn(joined.page, at('members'))).not.toContain('Invite a member')
    await page.reload()
    await settled(page)
    await team.changeRole(page, newcomer, 'Viewer')
    // The dashboard reads the role when it loads.
    await joined.page.reload()
    await settled(joined.page)
    const offered: string[] = []
    const { sessionId, payoutId, batchId } = await payments.makePayments(world.stack.db, businessId)
    const collectionId = await makeCollection(world.stack, person, businessId)
    const { swapId } = await makeSwaps(world.stack, businessId)
    const { wallet: walletId, transfer: walletTransferId } = await makeWaitingTransfer(
      world.stack.db,
      businessId,
    )
    const transferId = await makeBridgeRow(world.stack.db, businessId)
    const stakeId = await staking.makeShownStake(world.stack.db, businessId)
    const linkId = (await makePaymentLink(world.stack.db, businessId)).id
    const records = {
      walletId,
      walletTransferId,
      businessId,
      linkId,
      sessionId,
      payoutId,
      batchId,
      collectionId,
      swapId,
      transferId,
      stakeId,
      verificationId: await makeVerificationRow(world.stack.db, businessId),
      ...(await makeWebhooks(world.stack.db, businessId)),
    }
    for (const route of pages.filter((each) => each.startsWith('/b/') && !each.includes(':keyId')))
      offered.push(...(await team.controlsOn(joined.page, addressOf(route, records))))
    expect([...new Set(offered)].sort()).toEqual([
      'Copy account',
      'Copy address',
      'Copy body',
      'Copy id',
      'Copy link',
      'Copy public key',
      'Copy recipient',
      'Copy sender',
      'Copy transaction',
      'Download CSV',
      'Download PDF',
      'Leave this business',
      'Look for it',
      'Print',
      'Refresh',
      'Save as CSV',
      'Save notifications',
      'Search',
      'checkbox',
    ])
    await press(joined.page, 'Switch business, now: Business of a test')
    expect(await joined.page.getByRole('menuitem', { name: 'Platform' }).count()).toBe(0)
    await joined.leave()
  })

  test('has an audit log that can be searched', async () => {
    await go(page, at('audit'))
    const all = await team.entries(page)
    expect(all.length).toBeGreaterThanOrEqual(5)
    await team.searchLog(page, newcomer)
    const found = await team.entries(page)
    expect(found).toEqual(['Member changed', 'Member joined', 'Member invited'])
    expect(found.length).toBeLessThan(all.length)
    await team.searchLog(page, 'nothing-has-this-name')
    await page.getByText('Nothing was found.').waitFor()
    await press(page, 'Clear')
    await expect(page.getByRole('list', { name: 'Entries' }).waitFor()).resolves.toBeUndefined()
  })

  test('accepts the tokens of its payment settings, and no others', async () => {
    const lead = await visit(world, { as: await addMember(world.stack, world.stack.businessId, 'owner') })
    await go(lead.page, `/dashboard/b/${world.stack.businessId}/settings/payments`)
    await team.narrowPayments(world, lead.page)
    await lead.leave()
  })

  test('switches autosweep on with a threshold, by the keyboard', async () => {
    const as = await addMember(world.stack, world.stack.businessId, 'owner')
    const lead = await visit(world, { as, answersFail: true })
    await go(lead.page, `/dashboard/b/${world.stack.businessId}/settings/payments`)
    await team.switchAutosweepOn(lead.page)
    await lead.leave()
  })

  test('keeps bank accounts and wallets for payouts, by the keyboard too, and its legal profile', async () => {
    const as = await addPerson(world.stack)
    const at = `/dashboard/b/${await addBusiness(world.stack, as)}`
    const lead = await visit(world, { as, answersFail: true })
    await go(lead.page, `${at}/destinations`)
    await lead.page.getByText('There is no destination yet.').waitFor()
    await payouts.keepDestination(lead.page)
    await payouts.keepWallet(lead.page)
    await go(lead.page, `${at}/settings/payouts`)
    await payouts.setPayouts(lead.page)
    await lead.leave()
  })

  test('finds its payments, pays out, cancels, approves and marks as paid, and limits payouts', async () => {
    const as = await addPerson(world.stack)
    const id = await addBusiness(world.stack, as)
    const { db } = world.stack
    const { session, payoutId } = await payments.makePayments(db, id)
    const at = `/dashboard/b/${id}`
    const lead = await visit(world, { as, answersFail: true })
    await payments.findPayment(lead.page, at, session)
    await payments.payOut(lead.page, db, at)
    await payments.cancelPayout(lead.page)
    await payments.approvePayout(lead.page, db, at, payoutId)
    await payments.approveBatch(lead.page, db, id)
    await payments.markPaid(lead.page, at)
    await payments.setLimits(lead.page, at)
    await lead.leave()
  })

  test('shows what happened "Today" as of the new day where the list is open over midnight', async () => {
    const as = await addPerson(world.stack)
    const at = `/dashboard/b/${await addBusiness(world.stack, as)}`
    const late = await visit(world, { as })
    const evening = new Date().setUTCHours(23, 59, 0, 0)
    await late.page.clock.setFixedTime(evening)
    await go(late.page, `${at}/events?period=today`)
    await late.page.clock.setFixedTime(evening + 60_000)
    const nextDay = new Date(evening + 60_000).toISOString()
    const asked = late.page.waitForRequest((request) => request.url().includes(encodeURIComponent(nextDay)))
    await press(late.page, 'Refresh')
    await asked
    await late.leave()
  })

  test('collects from a customer, refreshes, cancels and finds its collections; without a partner it reads why there is nothing', async () => {
    const as = await addPerson(world.stack)
    const id = await addBusiness(world.stack, as)
    const at = `/dashboard/b/${id}`
    const lead = await visit(world, { as, answersFail: true })
    await collections.seeNoPartner(world.stack, lead.page, at)
    const made = await collections.collect(world, lead.page, at)
    await collections.refresh(world.stack, lead.page, made)
    await collections.cancel(lead.page, at, await makeCollection(world.stack, as, id))
    await collections.cancelEnded(lead.page, world.stack, at, await makeCollection(world.stack, as, id))
    await lead.leave()
  })

  test('finds the swaps of its programs, and reads what a failed one left allowed', async () => {
    const as = await addPerson(world.stack)
    const id = await addBusiness(world.stack, as)
    const { failedSwapId } = await makeSwaps(world.stack, id)
    const { headers } = await sessionOf(world.stack, as)
    const { body } = await dashboard<SwapBody>(
      world.stack,
      'GET',
      `/businesses/${id}/crypto/swaps/${failedSwapId}`,
      undefined,
      headers,
    )
    const lead = await visit(world, { as })
    await swaps.find(lead.page, `/dashboard/b/${id}`, body)
    await lead.leave()
  })

  test('bridges USDC after its costs were shown; a second owner approves, and it is found by its state', async () => {
    const [as, second] = [await addPerson(world.stack), await addPerson(world.stack)]
    const id = await addBusiness(world.stack, as)
    await addMember(world.stack, id, 'owner', second)
    const at = `/dashboard/b/${id}`
    const lead = await visit(world, { as, answersFail: true })
    await bridge.findNoWallet(lead.page, at)
    await bridge.send(lead.page, world.stack, id)
    await bridge.find(lead.page, world.stack, id)
    await lead.leave()
    const other = await visit(world, { as: second })
    await bridge.approve(other.page, at)
    await other.leave()
  })

  test('finds its stakes by their state; an operator creates, changes and stops a plan', async () => {
    const as = await addPerson(world.stack)
    const id = await addBusiness(world.stack, as)
    const owning = await visit(world, { as })
    await staking.find(owning.page, world.stack, id)
    await owning.leave()
    const operator = await visit(world, {
      as: await addPerson(world.stack, { operator: true }),
      answersFail: true,
    })
    await staking.operate(operator.page, world.stack)
    await operator.leave()
  })

  test('refunds to an address and by a link, cancels, decides about what came, and a second owner approves', async () => {
    const [as, second] = [await addPerson(world.stack), await addPerson(world.stack)]
    const id = await addBusiness(world.stack, as)
    await addMember(world.stack, id, 'owner', second)
    const { db } = world.stack
    const { sessionId } = await payments.makePayments(db, id)
    const at = `/dashboard/b/${id}`
    const lead = await visit(world, { as, answersFail: true })
    await refunds.refundExcess(lead.page, db, at, sessionId)
    await refunds.refundByLink(world, lead.page, sessionId)
    await refunds.decide(lead.page, db, id)
    await lead.leave()
    const { headers } = await sessionOf(world.stack, as)
    await dashboard(
      world.stack,
      'PUT',
      `/businesses/${id}/payout-settings`,
      { coolingOffHours: 24, approvalAbove: '1' },
      headers,
    )
    const toAddress = someAddress()
    const path = `/businesses/${id}/pos/sessions/${sessionId}/refunds`
    expect(
      (await dashboard(world.stack, 'POST', path, { amount: '2', toAddress }, headers)).body,
    ).toMatchObject({ status: 'awaiting_approval' })
    const other = await visit(world, { as: second })
    await refunds.approveRefund(other.page, at, toAddress)
    await other.leave()
  })

  test('requests the second factor again in each dialog that needs a fresh one', async () => {
    const [as, second] = [await addPerson(world.stack), await addPerson(world.stack)]
    const id = await addBusiness(world.stack, as)
    await addMember(world.stack, id, 'owner', second)
    const { db } = world.stack
    const { sessionId } = await payments.makePayments(db, id)
    const at = `/dashboard/b/${id}`
    const lead = await visit(world, { as, answersFail: true })
    await freshFactor.requestInEach(
      world,
      lead.page,
      { id: as.id, password: demoPassword },
      { at, sessionId },
    )
    await lead.leave()
    const { headers } = await sessionOf(world.stack, second)
    await dashboard(
      world.stack,
      'PUT',
      `/businesses/${id}/payout-settings`,
      { coolingOffHours: 24, approvalAbove: '0.1' },
      headers,
    )
    const path = `/businesses/${id}/pos/sessions/${sessionId}/refunds`
    const asked = await dashboard(
      world.stack,
      'POST',
      path,
      { amount: '0.5', toAddress: someAddress() },
      headers,
    )
    expect(asked.body).toMatchObject({ status: 'awaiting_approval' })
    const third = await addMember(world.stack, id, 'owner')
    const other = await visit(world, { as: third, answersFail: true })
    const factor = await freshFactor.useOldFactor(world, other.page, { id: third.id, password: demoPassword })
    await freshFactor.requestApproval(other.page, at, factor)
    await other.leave()
  })

  test('is opened, approved and suspended by an operator, and its owner sees it', async () => {
    const operator = await visit(world, { as: await addPerson(world.stack, { operator: true }) })
    await go(operator.page, '/dashboard/platform/businesses')
    const link = await team.openBusiness(world, operator.page, 'Harbour Goods', 'ada@harbour.example')
    const owning = await team.accept(world, link, 'Ada')
    await operator.page.getByRole('link', { name: 'Harbour Goods' }).click()
    await settled(operator.page)
    await team.approve(operator.page, 'Harbour Goods')
    await owning.page.reload()
    await settled(owning.page)
    expect(await owning.page.getByRole('complementary', { name: 'State of this business' }).count()).toBe(0)
    await team.suspend(operator.page, 'Harbour Goods', 'Documents are missing.')
    await owning.page.reload()
    await owning.page
      .getByRole('complementary', { name: 'State of this business' })
      .getByText('Documents are missing.')
      .waitFor()
    await Promise.all([operator.leave(), owning.leave()])
  })

  test('has its transfers held while it is suspended: an operator gives them up, and its members read why they wait', async () => {
    const owning = await addPerson(world.stack)
    const held = await addBusiness(world.stack, owning)
    const ids = await makeTransfers(world.stack.db, held, 22)
    await setApproval(world.stack, systemActor('test'), held, 'suspended', 'Documents are missing.')
    const operator = await visit(world, {
      as: await addPerson(world.stack, { operator: true }),
      answersFail: true,
    })
    await go(operator.page, `/dashboard/platform/businesses/${held}`)
    await operating.giveUpHeld(world, operator.page, held, ids)

    const waiting = await addBusiness(world.stack, owning)
    await makeWaitingTransfer(world.stack.db, waiting)
    await setApproval(world.stack, systemActor('test'), waiting, 'suspended', 'Documents are missing.')
    const member = await visit(world, { as: owning })
    await go(member.page, `/dashboard/b/${waiting}/approvals`)
    await member.page.getByText('Held: the business is suspended.').waitFor()
    await member.leave()
    await go(operator.page, `/dashboard/platform/businesses/${waiting}`)
    await operator.page.getByText('It waits for the approval of a second owner as well.').waitFor()
    await operator.leave()
  })

  test('has its transfers approved by an owner who reads what is sent from where, and not by the one who made the key of the request', async () => {
    const owning = await addPerson(world.stack)
    const businessId = await addBusiness(world.stack, owning)
    await makeWaitingTransfer(world.stack.db, businessId)
    const { page, leave } = await visit(world, { as: owning })
    await go(page, `/dashboard/b/${businessId}/approvals`)
    await press(page, 'Approve')
    const text = await (await dialog(page, 'Approve this transfer?')).textContent()
    expect(text?.replaceAll(/\s+/g, ' ')).toMatch(
      /0\.000000000000000005 ETH Ethereum, from 0x(cd){20} to 0x(ef){20}/i,
    )
    await world.stack.db.query(
      'insert into key_sponsors (root_id, account_id) select root_id, $2 from api_keys where business_id = $1',
      [businessId, owning.id],
    )
    await page.reload()
    await page.getByText(/another owner has to approve it/).waitFor()
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Refuse', exact: true }).waitFor()
    await leave()
  })

  test('has caps, which an operator raises, lowers and resets', async () => {
    const capped = await addBusiness(world.stack, await addPerson(world.stack))
    const operator = await visit(world, {
      as: await addPerson(world.stack, { operator: true }),
      answersFail: true,
    })
    await go(operator.page, `/dashboard/platform/businesses/${capped}`)
    await operating.setCaps(world, operator.page, capped)
    await operator.leave()
  })
})

test('the books are adjusted, and a payment is sent back, by two operators; a member reads the books, also as a file', async () => {
  const owning = await addPerson(world.stack)
  const businessId = await addBusiness(world.stack, owning)
  const [author, second] = [
    await addPerson(world.stack, { operator: true }),
    await addPerson(world.stack, { operator: true }),
  ]
  const member = await visit(world, { as: owning })
  for (const [path, title] of [
    ['balances', 'There is no money yet.'],
    ['entries', 'There is no entry yet.'],
    ['statement', 'Nothing was in the books in this month.'],
  ] as const) {
    await go(member.page, `/dashboard/b/${businessId}/${path}`)
    await member.page.getByText(title).waitFor()
  }
  const [one, other] = [
    await visit(world, { as: author, answersFail: true }),
    await visit(world, { as: second }),
  ]
  await books.proposeCredit(one.page, businessId)
  await books.approveCredit(other.page)
  await books.seeCredit(member.page, businessId)
  await makeSuspense(world.stack.db, 70_000_000n)
  await books.proposeGift(one.page, businessId)
  await makeSuspense(world.stack.db, 30_000_000n)
  await books.sendBack(one.page, other.page)
  for (const { leave } of [member, one, other]) await leave()
})

describe('every page', () => {
  let who: Person
  let records: Record<string, string>
  const names = pages.filter((route) => !openPages.includes(route))
  beforeAll(async () => {
    who = await addPerson(world.stack, { operator: true })
    const businessId = await addBusiness(world.stack, who)
    await addMember(world.stack, businessId, 'developer')
    const { headers } = await sessionOf(world.stack, who)
    const made = await dashboard<{ key: { id: string }; secret: string }>(
      world.stack,
      'POST',
      `/businesses/${businessId}/keys`,
      {
        name: 'Back office',
        scope: 'read',
        allowedAddresses: ['10.0.0.0/8'],
        permissions: ['sessions:read'],
      },
      headers,
    )
    world.secrets.add(made.body.secret)
    const { sessionId, payoutId, batchId } = await payments.makePayments(world.stack.db, businessId)
    const collectionId = await makeCollection(world.stack, who, businessId, {
      reference: 'Invoice 7/a',
      metadata: { table: 4 },
    })
    const more = await makeWebhooks(world.stack.db, businessId)
    const { failedSwapId: swapId } = await makeSwaps(world.stack, businessId)
    records = {
      businessId,
      sessionId,
      payoutId,
      batchId,
      collectionId,
      swapId,
      keyId: made.body.key.id,
      ...more,
    }
    const waiting = await makeWaitingTransfer(world.stack.db, businessId)
    records.walletId = waiting.wallet
    records.walletTransferId = waiting.transfer
    records.transferId = await makeBridgeRow(world.stack.db, businessId)
    records.stakeId = await staking.makeShownStake(world.stack.db, businessId)
    records.verificationId = await makeVerificationRow(world.stack.db, businessId)
    records.linkId = (await makePaymentLink(world.stack.db, businessId)).id
    await setLogo(world.stack, systemActor('test'), businessId, onePixel)
    await world.stack.db.query(
      "insert into outbox (queue, payload, tries_left, dead_at, last_error) values ('session-payment', '{}', 0, now(), 'the database was away')",
    )
    await books.makeBooks(world, businessId)
  })

  test('has its own title and one heading, meets the content policy, and logs no error', async () => {
    const { page, leave } = await visit(world, { as: who })
    const titles = new Set<string>()
    for (const route of names) {
      await go(page, addressOf(route, records))
      expect([route, await page.locator('h1').count(), await page.getByRole('main').count()]).toEqual([
        route,
        1,
        1,
      ])
      titles.add(await page.title())
    }
    expect(titles.size).toBe(names.length)
    for (const route of redirects) {
      await go(page, addressOf(route, records))
      expect(await heading(page)).not.toBe('There is no such page')
    }
    await go(page, '/dashboard/no/such/page')
    expect(await heading(page)).toBe('There is no such page')
    await leave()
    expect([world.recorded.errors, world.recorded.violations]).toEqual([[], []])
  })

  test('runs no injected script', async () => {
    const { page, context } = await visit(world, { as: who, answersFail: true })
    await go(page, '/dashboard/account')
    expect(await runsInjected(page)).toBe(false)
    expect(world.recorded.violations.splice(0)).toEqual(
      expect.arrayContaining([expect.stringContaining('script-src')]),
    )
    world.recorded.errors.splice(0)
    await context.close()
  })

  test('refuses requests of other sites, and those without the dashboard header', async () => {
    const { page, context } = await visit(world, { as: who, answersFail: true, bypassCSP: true })
    expect(await signOutWithoutHeader(world, page)).toBe(403)
    expect(await signOutFromElsewhere(world, page)).toBe(403)
    await go(page, '/dashboard/account')
    expect(await heading(page)).toBe('Account')
    await context.close()
  })

  test('reports that it loads, that it failed and how to try again', async () => {
    const { page, context, leave } = await visit(world, { as: who, answersFail: true })
    const asks = new Map<string, boolean>()
    const left = [...names]
    const inOnePage = async () => {
      const own = await context.newPage()
      await shortenPauses(own)
      await go(own, '/dashboard/account')
      for (let route = left.shift(); route; route = left.shift())
        asks.set(route, await failAndRecover(own, addressOf(route, records)))
      return own
    }
    const [first] = await Promise.all([inOnePage(), inOnePage(), inOnePage()])
    expect(names.filter((route) => !asks.get(route))).toEqual([
      '/businesses',
      '/b/:businessId/payments/find',
      '/b/:businessId/payouts/many',
    ])
    for (const asked of [whoIsSignedIn, theBusiness])
      expect(await failAndRecover(first, addressOf('/b/:businessId/members', records), asked)).toBe(true)
    await go(page, '/dashboard/account')
    await signInAgain(page, 'Payments', who.email, demoPassword)
    await leave()
  })

  describe('has no fault that axe finds and is no wider than a phone, in light and in dark:', () => {
    const titles = new Set<string>()
    let here: Visitor
    beforeAll(async () => {
      here = await visit(world, { as: who, bypassCSP: true })
      await go(here.page, '/dashboard/account')
    })
    afterAll(() => here?.leave())

    test.each(names)('%s and its dialogs', async (route) => {
      const { page } = here
      const faults: string[] = []
      let dialogs = 0
      await follow(page, addressOf(route, records))
      for await (const { title, name } of openDialogs(page, route)) {
        dialogs++
        titles.add(title)
        faults.push(...(await examine(page, name)))
      }
      if (dialogs > 0) await follow(page, addressOf(route, records))
      const closed = page.locator('details:not([open]) > summary')
      for (let left = await closed.count(); left > 0; left--) await closed.first().click()
      faults.push(...(await examine(page, route)))
      expect(faults).toEqual([])
    })

    test('passkeys: added, renamed, used to sign in and removed, only at the configured address', async () => {
      const faults: string[] = []
      await usePasskeys(world, async (page, name, title) => {
        if (title) titles.add(title)
        faults.push(...(await examine(page, name)))
      })
      expect(faults).toEqual([])
    })

    test('covers every dialog', () => {
      const all = dialogTitles()
      expect(all.length).toBe(dialogCount())
      expect(all.filter((title) => ![...titles].some((seen) => title.test(seen)))).toEqual([])
    })

    test('pages for the signed out, unknown addresses, and states of waiting', async () => {
      expect(await examineStates(world, records, who)).toEqual([])
    })
  })
})

test('signing in and creating a key need no mouse; the focus is visible, and returns from a dialog', async () => {
  const who = await addPerson(world.stack)
  await addBusiness(world.stack, who)
  const { page, leave } = await visit(world)
  await go(page, '/dashboard/')
  await signInByKeyboard(page, who.email)
  world.secrets.add(await createKeyByKeyboard(page, 'Made without a mouse'))
  await page.getByRole('row', { name: 'Made without a mouse' }).waitFor()
  await leave()
})

test('no secret was in an address, in browser storage or in the console; no page had an error', () => {
  const { errors, violations, consoleTexts, urls, stored } = world.recorded
  expect([errors, violations]).toEqual([[], []])
  expect(world.secrets.size).toBeGreaterThan(15)
  const leaks = [...consoleTexts, ...urls, ...stored].filter((text) =>
    [...world.secrets].some((secret) => text.includes(secret)),
  )
  expect(leaks).toEqual([])
})
