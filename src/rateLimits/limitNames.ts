/**
 * Every kind of limit: a value of the label `limit` of `cowry_rate_limited_total`, and a name in the headers
 * of answers.
 */
export const limitNames = [
  'key',
  'business',
  'account',
  'address',
  'document',
  'refused',
  'visitor',
  'publishable',
  'uploads',
  'link-sessions',
  'link-sessions-site',
  'link-visitor',
  'link-visitor-site',
  'link',
  'repetition',
  'invitations',
  'audit-search',
  'mail-address',
  'mail-business',
  'mail-proof-address',
  'mail-reset',
  'mail-reset-address',
  'sign-in-account',
  'sign-in-address',
  'sign-in-codes',
  'sign-in-device',
  'sign-in-network',
  'sign-in-recovery',
  'sign-in-site',
  'importBlocksPerDay',
  'replaysPerDay',
  'nodeQuestionsPerDay',
] as const
export type LimitName = (typeof limitNames)[number]
