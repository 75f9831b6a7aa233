import { ApiError } from '../platform/errors.ts'

/** What needs the payout partner, on a deployment that has none. */
export const partnerNotConfigured = (): ApiError =>
  new ApiError(
    503,
    'partner_not_configured',
    'This deployment has no payout partner: it pays to wallets only, and collects nothing from banks',
  )
