/** A group of the navigation: its pages by their path below `docs/`, without `.md`. */
export interface Group {
  title: string
  pages: readonly string[]
}

/** The guides in the order of reading. Runbooks follow by themselves, as the last group. */
export const groups: readonly Group[] = [
  { title: 'Start', pages: ['getting-started', 'going-live', 'glossary'] },
  {
    title: 'Take payments',
    pages: ['sessions', 'checkout', 'payment-links', 'till', 'streaming', 'refunds', 'collections', 'chains'],
  },
  { title: 'Receive events', pages: ['webhooks', 'events', 'notifications', 'monitoring'] },
  {
    title: 'Move money',
    pages: ['payouts', 'transfers', 'swaps', 'bridge', 'staking', 'books', 'verification'],
  },
  {
    title: 'The API',
    pages: ['authentication', 'permissions', 'lists', 'errors', 'mistakes', 'versioning', 'changelog'],
  },
  {
    title: 'Operate',
    pages: [
      ...['operations', 'deployment', 'settings', 'observability', 'alerts', 'tracing', 'upgrades', 'backup'],
      ...['custody', 'security', 'database-roles', 'commands', 'kubernetes', 'scale', 'performance'],
      ...['partitions', 'sweeps', 'ledger'],
    ],
  },
  { title: 'Change Cowry', pages: ['architecture', 'testing', 'scenarios', 'error-classes'] },
]
