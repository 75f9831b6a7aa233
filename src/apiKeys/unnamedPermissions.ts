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

/** Write permissions of a new key without named permissions: all of the scope `write` except those of owners only. */
export const unnamedPermissions = (scope: 'read' | 'write', permissions: readonly string[] | null | undefined): readonly string[] =>
  scope === 'write' && (permissions === null || permissions === undefined) ? names : []
