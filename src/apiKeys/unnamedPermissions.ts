// Made by `npm run generate` from the contract.

const names = [
  'collections:create',
  'collections:refresh',
  'crypto:generate',
  'crypto:transfer',
  'crypto:wallets',
  'monitoring:write',
  'payment-links:create',
  'payouts:cancel',
  'payouts:create',
  'refunds:create',
  'refunds:resolve',
  'sessions:cancel',
  'sessions:create',
  'staking:stake',
  'staking:unstake',
  'staking:withdraw',
  'swaps:execute',
  'webhooks:manage',
  'webhooks:replay',
] as const

/** Write permissions of a key that is created without naming any: all except those reserved to owners. */
export const unnamedPermissions = (
  scope: 'read' | 'write',
  permissions: readonly string[] | null | undefined,
): readonly string[] =>
  scope === 'write' && (permissions === null || permissions === undefined) ? names : []
