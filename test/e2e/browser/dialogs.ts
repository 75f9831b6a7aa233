import type { Page } from 'playwright-core'
import { demoPassword } from '../../support/stack.ts'
import { createAuthenticator } from './authenticator.ts'
import { chooseAction, dialog, press } from './world.ts'

interface Step {
  /** Title of the dialog that is open after `show`; `.+` stands for a name. */
  title: string
  /** Starts where the previous step ended. */
  show: (page: Page) => Promise<void>
  /** The button that closes the dialog; without one the next step continues in it. */
  close?: string
}

/** Where each row has the button, the first one is pressed. */
const opens = (title: string, name: string | RegExp): Step => ({
  title,
  show: (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click(),
  close: 'Cancel',
})

/** The same from the menu of the page. */
const chosen = (title: string, name: string): Step => ({
  title,
  show: (page) => chooseAction(page, name),
  close: 'Cancel',
})

const inDialog = (page: Page) => page.getByRole('dialog')

const account: Step[] = [
  { title: 'Set up two-step sign-in', show: (page) => press(page, 'Set up') },
  {
    title: 'Set up two-step sign-in',
    async show(page) {
      await inDialog(page).getByLabel('Password', { exact: true }).fill(demoPassword)
      await press(inDialog(page), 'Continue')
      await inDialog(page).getByRole('img').waitFor()
    },
  },
  {
    title: 'Your recovery codes',
    async show(page) {
      const code = await createAuthenticator(
        (await inDialog(page).locator('code').textContent()) ?? '',
      ).next()
      await inDialog(page).getByLabel('Code', { exact: true }).fill(code)
      await press(inDialog(page), 'Switch on')
    },
    close: 'I have stored them',
  },
  {
    title: 'Confirm that it is you',
    async show(page) {
      const answer = {
        status: 403,
        json: { error: 'fresh_factor_required', message: 'It is over five minutes old' },
      }
      await page.route('**/me/password', (route) => route.fulfill(answer), { times: 1 })
      await page.getByLabel('Current password').fill(demoPassword)
      await page.getByLabel('New password').fill('another-quiet-lantern-3')
      await press(page, 'Change password')
    },
    close: 'Cancel',
  },
  opens('Make new recovery codes', 'Make new recovery codes'),
  opens('Switch the authenticator off?', 'Switch off'),
  opens('Add a passkey', 'Add a passkey'),
  opens('End this sign-in?', /^End sign-in from/),
  opens('Sign out everywhere?', 'Sign out everywhere'),
]

const members: Step[] = [
  { title: 'Invite a member', show: (page) => press(page, 'Invite a member') },
  {
    title: 'Invitation made',
    async show(page) {
      await inDialog(page)
        .getByLabel('Email')
        .fill('a-person-with-a-rather-long-name@accounting.shop.example')
      await inDialog(page).getByLabel('I hand it over').check()
      await press(inDialog(page), 'Make invitation')
    },
    close: 'I have stored it',
  },
  opens('Take this invitation back?', /^Take back/),
  opens('Change role', /^Change role/),
  opens('Remove this member?', /^Remove/),
  opens('Leave .+', 'Leave this business'),
]

const keys: Step[] = [
  {
    title: 'Create an API key',
    async show(page) {
      await press(page, 'Create key')
      await inDialog(page).getByLabel('Only what I choose').check()
      await press(inDialog(page), 'Create key')
      await inDialog(page).getByText('Fill this in.').waitFor()
    },
  },
  {
    title: 'Your new API key',
    async show(page) {
      await inDialog(page).getByLabel('Name').fill('Checkout of the shop')
      await inDialog(page).getByLabel('Everything its scope allows').check()
      await press(inDialog(page), 'Create key')
    },
    close: 'I have stored it',
  },
]

const verificationKeys: Step[] = [
  { title: 'Create a verification key', show: (page) => press(page, 'Create key') },
  {
    title: 'Your new API key',
    async show(page) {
      await inDialog(page).getByLabel('Name').fill('The shop')
      await inDialog(page).getByLabel('Publishable').check()
      await inDialog(page).getByLabel('Web sites').fill('https://shop.example')
      await press(inDialog(page), 'Create key')
    },
    close: 'I have stored it',
  },
  opens('Rotate this key', 'Rotate The shop'),
  opens('Change the web sites', 'Change the web sites of The shop'),
]

const endpoints: Step[] = [
  {
    title: 'Add an endpoint',
    async show(page) {
      await press(page, 'Add endpoint')
      await inDialog(page).getByLabel('Only what I choose').check()
      await inDialog(page).getByLabel('Endpoint URL').fill('https://shop.example/cowry')
      await press(inDialog(page), 'Add endpoint')
      await inDialog(page).getByText('Choose at least one').waitFor()
    },
  },
  {
    title: 'Your signing secret',
    async show(page) {
      await inDialog(page).getByLabel('All of session.*').check()
      await press(inDialog(page), 'Add endpoint')
    },
    close: 'I have stored it',
  },
  {
    title: 'Your public key',
    async show(page) {
      await press(page, 'Add endpoint')
      await inDialog(page).getByLabel('Endpoint URL').fill('https://shop.example/cowry')
      await inDialog(page).getByLabel('With a key pair').check()
      await press(inDialog(page), 'Add endpoint')
    },
    close: 'Done',
  },
  {
    title: 'Make a new callback secret?',
    show: (page) => press(page, 'New callback secret'),
  },
  {
    title: 'Your callback secret',
    show: (page) => press(inDialog(page), 'Make new secret'),
    close: 'I have stored it',
  },
]

const endpoint: Step[] = [
  {
    title: 'Send a test event',
    async show(page) {
      await press(page, 'Send test event')
      await press(inDialog(page), 'Send test event')
      await inDialog(page).getByText('See the delivery').waitFor()
    },
    close: 'Done',
  },
  opens('Change this endpoint', 'Change'),
  chosen('Make a new signing secret?', 'New secret'),
  chosen('Remove this endpoint?', 'Remove'),
  { title: 'Pause this endpoint?', show: (page) => chooseAction(page, 'Pause') },
  {
    title: 'Resume this endpoint?',
    async show(page) {
      await press(inDialog(page), 'Pause endpoint')
      await press(page, 'Resume')
    },
    close: 'Resume endpoint',
  },
]

const monitoring: Step[] = [
  {
    title: 'Monitor an address',
    async show(page) {
      await press(page, 'Monitor an address')
      await inDialog(page).getByLabel('Address').fill('0x00')
      await inDialog(page).getByLabel('Metadata').fill('no JSON')
      await press(inDialog(page), 'Monitor address')
      await inDialog(page).getByText('Enter a JSON object').waitFor()
    },
    close: 'Cancel',
  },
  opens('Change this entry', /^Change 0x/),
  opens('Stop monitoring this address?', /^Remove 0x/),
]

const destinations: Step[] = [
  {
    title: 'Add a destination',
    async show(page) {
      await press(page, 'Add a destination')
      await inDialog(page).getByLabel('Account number').fill('0123456789')
      await inDialog(page).getByLabel('Account holder').fill('Ada Stores Ltd')
    },
  },
  {
    title: 'Archive this destination?',
    async show(page) {
      await press(inDialog(page), 'Save destination')
      await page
        .getByRole('button', { name: /^Archive / })
        .first()
        .click()
    },
    close: 'Cancel',
  },
]

const bridge: Step[] = [
  {
    title: 'Bridge USDC',
    async show(page) {
      await press(page, 'Bridge USDC')
      await inDialog(page).getByLabel('To network').selectOption('base')
      await inDialog(page)
        .getByLabel('To address')
        .fill(`0x${'ab'.repeat(20)}`)
      await inDialog(page).getByLabel('Amount').fill('2')
    },
  },
  { title: 'Bridge this?', show: (page) => press(inDialog(page), 'Continue'), close: 'Cancel' },
  { title: 'Bridge USDC', show: async () => {}, close: 'Cancel' },
]

const wallets: Step[] = [
  {
    title: 'New wallet',
    async show(page) {
      await press(page, 'New wallet')
      await inDialog(page).getByLabel('One that I have').check()
      await press(inDialog(page), 'Store wallet')
      await inDialog(page).getByText('Fill this in.').waitFor()
    },
  },
  {
    title: 'Write down its recovery phrase',
    async show(page) {
      await inDialog(page).getByLabel('A new wallet').check()
      await press(inDialog(page), 'Continue')
    },
    close: 'Cancel',
  },
]

const wallet: Step[] = [
  {
    title: 'Send',
    async show(page) {
      await press(page, 'Send')
      await inDialog(page)
        .getByLabel('To address')
        .fill(`0x${'ab'.repeat(20)}`)
      await inDialog(page).getByLabel('Amount').fill('2')
    },
  },
  { title: 'Send this?', show: (page) => press(inDialog(page), 'Continue'), close: 'Cancel' },
  { title: 'Send', show: async () => {}, close: 'Cancel' },
  chosen('Change the label', 'Change the label'),
  chosen('Archive this wallet?', 'Archive'),
]

const payouts: Step[] = [
  {
    title: 'Pay out',
    async show(page) {
      await press(page, 'Pay out')
      await inDialog(page).getByLabel('From').selectOption('ethereum:USDC')
      await inDialog(page).getByLabel('Amount').fill('1')
    },
  },
  // Cancel leads back to the form.
  { title: 'Pay this out?', show: (page) => press(inDialog(page), 'Continue'), close: 'Cancel' },
  {
    title: 'Confirm the new price?',
    async show(page) {
      await press(inDialog(page), 'Cancel')
      await page
        .getByRole('row', { name: /has to be confirmed/ })
        .getByRole('link')
        .first()
        .click()
      await press(page, 'Confirm price')
    },
    close: 'Cancel',
  },
]

const sessions: Step[] = [
  {
    title: 'Cancel this payment?',
    async show(page) {
      await page.getByRole('link', { name: '1 USDC', exact: true }).click()
      await chooseAction(page, 'Cancel payment')
    },
    close: 'Cancel',
  },
]

const session: Step[] = [
  opens('Leave what came?', 'Leave it'),
  { title: 'Refund this payment', show: (page) => press(page, 'Refund') },
  {
    title: 'Refund this?',
    async show(page) {
      await inDialog(page).getByLabel('An amount').check()
      await inDialog(page).getByLabel('Amount', { exact: true }).fill('1.5')
      await inDialog(page).getByLabel('By a link').check()
      await press(inDialog(page), 'Continue')
    },
  },
  {
    title: 'The link for your customer',
    show: (page) => press(inDialog(page), 'Make the link'),
    close: 'I have stored it',
  },
  opens('Cancel this refund?', /^Cancel refund/),
]

const partners: Step[] = [
  { title: 'Pause payouts through .+', show: (page) => press(page, 'Pause Yellow Card') },
  {
    title: 'Resume payouts through .+',
    async show(page) {
      await inDialog(page).getByLabel('Reason').fill('Settlement of 24 November is late.')
      await press(inDialog(page), 'Pause partner')
      await press(page, 'Resume Yellow Card')
    },
    close: 'Resume partner',
  },
]

const plans: Step[] = [
  opens('Create a staking plan', 'Create plan'),
  opens('Change the staking plan', /^Change /),
  opens('Stop the staking plan?', /^Stop /),
]

const operated: Step[] = [
  {
    title: 'Suspend .+',
    show: (page) => press(page, 'Suspend'),
  },
  {
    title: 'Approve .+',
    async show(page) {
      await inDialog(page).getByLabel('Reason').fill('Documents are missing.')
      await press(inDialog(page), 'Suspend business')
      await press(page, 'Approve')
    },
    close: 'Cancel',
  },
  // The transfer's business is suspended by now.
  opens('Give up this transfer?', /^Give up/),
]

const platform: Step[] = [
  { title: 'Open a business', show: (page) => press(page, 'Open a business') },
  {
    title: 'The business is open',
    async show(page) {
      await inDialog(page).getByLabel('Name', { exact: true }).fill('Harbour Goods')
      await inDialog(page).getByLabel('Email of the owner').fill('harbour@shop.example')
      await inDialog(page).getByLabel('I hand it over').check()
      await press(inDialog(page), 'Open business')
    },
    close: 'I have stored it',
  },
  {
    title: 'Invite the owner again',
    async show(page) {
      // The owner has not joined yet.
      await page.getByRole('link', { name: 'Harbour Goods' }).first().click()
      await press(page, 'Invite the owner again')
    },
  },
  {
    title: "The owner's new link",
    async show(page) {
      await inDialog(page).getByLabel('Email of the owner').fill('harbour@shop.example')
      await inDialog(page).getByLabel('I hand it over').check()
      await press(inDialog(page), 'Make a link')
    },
    close: 'I have stored it',
  },
]

/** The steps that open each dialog, by the page that it opens on. */
const dialogSteps: Record<string, Step[]> = {
  '/account': account,
  '/businesses': [opens('Open a business', 'Open a business')],
  '/b/:businessId/members': members,
  '/b/:businessId/settings/api-keys': keys,
  '/b/:businessId/settings/api-keys/:keyId': [
    opens('Change this key', 'Change'),
    chosen('Rotate this key', 'Rotate'),
    chosen('Revoke this key?', 'Revoke'),
  ],
  '/b/:businessId/approvals': [
    opens('Approve this transfer?', 'Approve'),
    opens('Refuse this transfer?', 'Refuse'),
  ],
  '/b/:businessId/settings/payments': [opens('Remove the logo?', 'Remove')],
  '/b/:businessId/settings/sending': [opens('Limits of .+', /^Limits of/)],
  '/b/:businessId/settings/verification-keys': verificationKeys,
  '/b/:businessId/settings/webhooks': endpoints,
  '/b/:businessId/settings/webhooks/:endpointId': endpoint,
  '/b/:businessId/webhooks': [opens('Send failed ones again', 'Send failed ones again')],
  '/b/:businessId/events/:eventId': [opens('Send this event again?', /^Send again to/)],
  '/b/:businessId/webhooks/:deliveryId': [opens('Send this delivery again?', 'Send again')],
  '/b/:businessId/monitoring': monitoring,
  '/b/:businessId/destinations': destinations,
  '/b/:businessId/statement': [
    {
      title: 'Close this month?',
      async show(page) {
        await page.getByLabel('Month', { exact: true }).fill('2026-01')
        await press(page, 'Close month')
      },
      close: 'Cancel',
    },
  ],
  '/b/:businessId/payments': sessions,
  '/b/:businessId/payments/:sessionId': session,
  '/b/:businessId/collections/:collectionId': [opens('Cancel this collection?', 'Cancel collection')],
  '/b/:businessId/wallets': wallets,
  '/b/:businessId/wallets/:walletId': wallet,
  '/b/:businessId/transfers/:walletTransferId': [chosen('Cancel this transfer?', 'Cancel transfer')],
  '/b/:businessId/bridge': bridge,
  '/b/:businessId/payouts': payouts,
  '/b/:businessId/payouts/:payoutId': [
    opens('Approve this payout?', 'Approve'),
    opens('Mark this payout as paid?', 'Mark as paid'),
    opens('Cancel this payout?', 'Cancel payout'),
  ],
  '/b/:businessId/payment-links/:linkId': [
    opens('Switch this link off?', 'Switch off'),
    opens('Change the label', 'Change label'),
  ],
  '/platform/health': [
    opens('Replay this job?', /^Replay job/),
    opens('Replay all dead jobs of .+?', /^Replay all of/),
  ],
  '/platform/partners': partners,
  '/platform/verification-prices': [opens('Set a price', 'Set a price')],
  '/platform/plans': plans,
  '/platform/adjustments': [
    opens('Propose an adjustment', 'Propose an adjustment'),
    opens('Approve this adjustment?', 'Approve'),
    opens('Refuse this adjustment?', 'Refuse'),
  ],
  '/platform/suspense': [
    opens('Whose is this payment?', /^Give/),
    opens('Send this payment back', /^Send back/),
  ],
  '/platform/businesses': platform,
  '/platform/businesses/:businessId': operated,
}

/** Opens the dialogs of a page one after another; each stays open until the caller requests the next. */
export async function* openDialogs(
  page: Page,
  route: string,
): AsyncGenerator<{ title: string; name: string }> {
  for (const [index, { title, show, close }] of (dialogSteps[route] ?? []).entries()) {
    await show(page)
    const open = await dialog(page, new RegExp(`^${title.replaceAll('?', '\\?')}$`))
    yield {
      title: (await open.getByRole('heading').textContent()) ?? '',
      name: `${route} ${index + 1} ${title}`,
    }
    if (close) await press(open, close)
  }
}
