import type { Me } from '../types.ts'

export interface NavSection {
  title: string
  links: { label: string; to: string }[]
}

/** The navigation's links in order. A new part of the dashboard adds its line here. */
export function navigationFor(me: Me, businessId: string | undefined): NavSection[] {
  const business = me.businesses.find((each) => each.id === businessId)
  const sections: NavSection[] = []
  if (business) {
    const at = businessPath(business.id)
    sections.push(
      {
        title: business.name,
        links: [
          { label: 'Payments', to: `${at}/payments` },
          { label: 'Payouts', to: `${at}/payouts` },
          { label: 'Payout destinations', to: `${at}/destinations` },
          { label: 'Collections', to: `${at}/collections` },
          { label: 'Swaps', to: `${at}/swaps` },
          { label: 'Bridge', to: `${at}/bridge` },
          { label: 'Verifications', to: `${at}/verifications` },
          { label: 'Stakes', to: `${at}/stakes` },
          { label: 'Webhook deliveries', to: `${at}/webhooks` },
          { label: 'Monitored addresses', to: `${at}/monitoring` },
          { label: 'Approvals', to: `${at}/approvals` },
          { label: 'Members', to: `${at}/members` },
          { label: 'Audit log', to: `${at}/audit` },
        ],
      },
      {
        title: 'Books',
        links: [
          { label: 'Balances', to: `${at}/balances` },
          { label: 'Entries', to: `${at}/entries` },
          { label: 'Statement', to: `${at}/statement` },
          { label: 'Credit', to: `${at}/credit` },
          { label: 'Sweeps', to: `${at}/sweeps` },
        ],
      },
      {
        title: 'Settings',
        links: [
          { label: 'API keys', to: `${at}/settings/api-keys` },
          { label: 'Verification keys', to: `${at}/settings/verification-keys` },
          { label: 'Webhooks', to: `${at}/settings/webhooks` },
          { label: 'Sending', to: `${at}/settings/sending` },
          { label: 'Payments', to: `${at}/settings/payments` },
          { label: 'Payouts', to: `${at}/settings/payouts` },
          { label: 'Business', to: `${at}/settings/business` },
        ],
      },
    )
  }
  if (me.account.operator) {
    sections.push({
      title: 'Platform',
      links: [
        { label: 'All businesses', to: '/platform/businesses' },
        { label: 'Float', to: '/platform/float' },
        { label: 'Payout partners', to: '/platform/partners' },
        { label: 'Verification prices', to: '/platform/verification-prices' },
        { label: 'Staking plans', to: '/platform/plans' },
        { label: 'Adjustments', to: '/platform/adjustments' },
        { label: 'Suspense', to: '/platform/suspense' },
        { label: 'Closes', to: '/platform/closes' },
        { label: 'Platform audit log', to: '/platform/audit' },
      ],
    })
  }
  sections.push({
    title: 'You',
    links: [
      { label: 'Your businesses', to: '/businesses' },
      { label: 'Account', to: '/account' },
    ],
  })
  return sections
}

export const businessPath = (businessId: string): string => `/b/${encodeURIComponent(businessId)}`
