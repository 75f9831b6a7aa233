const known: Partial<Record<string, string>> = {
  held: 'The business is suspended or not approved yet',
  cooling_off: 'The destination cools off',
  payout_limit: 'It is above the limit of a payout',
  daily_limit: 'It is above what is left of the limit of a day',
  key_limit: 'It is above the limits of the API key that requested it',
  price_changed: 'Its price has changed and has to be confirmed',
  price_too_high: 'The rate has fallen since it was priced; it is priced again soon',
  outgoing_paused: 'The network is paused',
  outgoing_restored: 'The operator is checking what left before a restore',
  left_before_restore: 'The partner has it from before a restore; Cowry queries it for the outcome',
  paid_elsewhere: 'It was paid in another way',
  partner_paused: 'The payout partner is paused',
  screening: 'It is being screened',
  screening_denied: 'Screening denied it',
  approval_refused: 'An owner refused it',
  approval_expired: 'No owner approved it in time',
  approval_void: 'The member who requested it has lost the right',
  destination_approval: 'A second owner has to approve the destination',
  destination_not_approved: 'No second owner approved the destination',
  independent_owner_missing: 'No owner is independent of the request: another owner has to join',
  destination_archived: 'The destination is archived',
  claim_expired: 'The customer named no address in time',
  payment_reversed: 'The network has taken back its payment',
  outcome_unknown: 'It is not known yet if the partner has it',
  partner_busy: 'The partner is busy; Cowry tries again',
  partner_not_authorized: 'The partner refuses this deployment; its operator has to mend that',
  partner_contradicts: 'The partner’s answer cannot be right; Cowry queries it again',
  cost_out_of_band: 'The partner names a cost that does not fit the price; the operator checks it',
  refusal_in_doubt: 'The partner refused it and may have it; the operator checks it',
  bank_returned: 'The bank returned it',
  partner_failed: 'The partner reports that it failed',
  partner_denied: 'The partner denied it',
  partner_refused: 'The partner refused it',
  partner_invalid_request: 'The partner does not take these details',
  partner_invalid_phone: 'The partner does not take this phone number',
  refunding: 'The money goes back to the customer',
  refund_failed: 'The money could not be given back; the operator and the partner check it',
  settlement_failed: 'The partner could not settle it; the operator and the partner check it',
  settlement_missing: 'No crypto came in time',
  settlement_too_little: 'Less crypto came than the partner named',
  settlement_other_token: 'Another token came than the one that was agreed',
  settlement_other_memo:
    'It came to the right wallet with another memo, or without one: contact the owner of the account',
  settlement_unknown_amount: 'The partner has not named the amount, so what came cannot be checked',
  older_version: 'It is of an older version and was not sent to the partner; create it again',
}

/**
 * Why a payout, a refund or a collection waits or failed. A code that is newer than this page is shown as it
 * is.
 */
export function reasonLabels(code: string): string {
  const words = code.replaceAll('_', ' ')
  return known[code] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
