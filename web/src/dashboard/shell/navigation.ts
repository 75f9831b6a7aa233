import type { IconName } from './Icon.tsx'

export interface NavLink {
  label: string
  to: string
}

/** An entry of the navigation; the pages of its area are next to each other on top of each of them. */
export interface NavEntry {
  label: string
  icon: IconName
  /** The first is where the entry leads. */
  pages: [NavLink, ...NavLink[]]
}

export const businessPath = (businessId: string): string => `/b/${encodeURIComponent(businessId)}`

/** The pages of a business. A new page adds its line here. */
export function businessEntries(businessId: string): NavEntry[] {
  const at = businessPath(businessId)
  return [
    { label: 'Home', icon: 'home', pages: [{ label: 'Overview', to: at }] },
    {
      label: 'Payments',
      icon: 'payments',
      pages: [
        { label: 'Payments', to: `${at}/payments` },
        { label: 'Payment links', to: `${at}/payment-links` },
      ],
    },
    {
      label: 'Payouts',
      icon: 'payouts',
      pages: [
        { label: 'Payouts', to: `${at}/payouts` },
        { label: 'Destinations', to: `${at}/destinations` },
        { label: 'Approvals', to: `${at}/approvals` },
      ],
    },
    { label: 'Collections', icon: 'collections', pages: [{ label: 'Collections', to: `${at}/collections` }] },
    {
      label: 'Money',
      icon: 'money',
      pages: [
        { label: 'Balances', to: `${at}/balances` },
        { label: 'Wallets', to: `${at}/wallets` },
        { label: 'Transfers', to: `${at}/transfers` },
        { label: 'Swaps', to: `${at}/swaps` },
        { label: 'Bridge', to: `${at}/bridge` },
        { label: 'Stakes', to: `${at}/stakes` },
        { label: 'Sweeps', to: `${at}/sweeps` },
        { label: 'Credit', to: `${at}/credit` },
      ],
    },
    {
      label: 'Books',
      icon: 'books',
      pages: [
        { label: 'Entries', to: `${at}/entries` },
        { label: 'Statement', to: `${at}/statement` },
      ],
    },
    {
      label: 'Developers',
      icon: 'developers',
      pages: [
        { label: 'API keys', to: `${at}/settings/api-keys` },
        { label: 'Webhooks', to: `${at}/settings/webhooks` },
        { label: 'Events', to: `${at}/events` },
        { label: 'Deliveries', to: `${at}/webhooks` },
        { label: 'Monitored addresses', to: `${at}/monitoring` },
        { label: 'Verifications', to: `${at}/verifications` },
        { label: 'Verification keys', to: `${at}/settings/verification-keys` },
      ],
    },
    {
      label: 'Settings',
      icon: 'settings',
      pages: [
        { label: 'Business', to: `${at}/settings/business` },
        { label: 'Members', to: `${at}/members` },
        { label: 'Payments', to: `${at}/settings/payments` },
        { label: 'Payouts', to: `${at}/settings/payouts` },
        { label: 'Sending', to: `${at}/settings/sending` },
        { label: 'Audit log', to: `${at}/audit` },
      ],
    },
  ]
}

/** The pages for operators of the platform. */
export const platformEntries: NavEntry[] = [
  {
    label: 'Businesses',
    icon: 'businesses',
    pages: [{ label: 'All businesses', to: '/platform/businesses' }],
  },
  {
    label: 'Health',
    icon: 'health',
    pages: [{ label: 'Health', to: '/platform/health' }],
  },
  {
    label: 'Treasury',
    icon: 'money',
    pages: [
      { label: 'Float', to: '/platform/float' },
      { label: 'Payout partners', to: '/platform/partners' },
    ],
  },
  {
    label: 'Prices',
    icon: 'payments',
    pages: [
      { label: 'Verification prices', to: '/platform/verification-prices' },
      { label: 'Staking plans', to: '/platform/plans' },
    ],
  },
  {
    label: 'Books',
    icon: 'books',
    pages: [
      { label: 'Adjustments', to: '/platform/adjustments' },
      { label: 'Suspense', to: '/platform/suspense' },
      { label: 'Closes', to: '/platform/closes' },
    ],
  },
  {
    label: 'Audit log',
    icon: 'audit',
    pages: [{ label: 'Platform audit log', to: '/platform/audit' }],
  },
]

const isWithin = (path: string, { to }: NavLink): boolean => path === to || path.startsWith(`${to}/`)

/** The entry and the page that a path belongs to: of several that match the one with the longest address. */
export function currentOf(
  entries: readonly NavEntry[],
  path: string,
): { entry: NavEntry; page: NavLink } | undefined {
  const matches = entries.flatMap((entry) =>
    entry.pages
      // Each page of a business is below its first one.
      .filter((page) => (entry.icon === 'home' ? path === page.to : isWithin(path, page)))
      .map((page) => ({ entry, page })),
  )
  return matches.sort((a, b) => b.page.to.length - a.page.to.length)[0]
}
