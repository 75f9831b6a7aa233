// Made by `npm run generate` from the contract.

const names = [
  'crypto:generate',
  'crypto:transfer',
  'crypto:wallets',
  'monitoring:write',
  'sessions:cancel',
  'sessions:create',
  'webhooks:manage',
  'webhooks:replay',
] as const

/** What a key that is made now may change without naming it: all that needs the scope `write`, but what only owners may do. */
export const unnamedPermissions = (scope: 'read' | 'write', permissions: readonly string[] | null | undefined): readonly string[] =>
  scope === 'write' && (permissions === null || permissions === undefined) ? names : []
