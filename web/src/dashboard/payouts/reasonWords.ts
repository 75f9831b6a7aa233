const known: Partial<Record<string, string>> = {
  held: 'The business is suspended or not approved yet',
  cooling_off: 'The destination cools off',
  payout_limit: 'It is above the limit of a payout',
  daily_limit: 'It is above what is left of the limit of a day',
  outgoing_paused: 'The network is paused',
  outgoing_restored: 'The operator is checking what left before a restore',
  partner_paused: 'The payout partner is paused',
  screening: 'It is being screened',
  screening_denied: 'Screening denied it',
  approval_refused: 'An owner refused it',
  approval_expired: 'No owner approved it in time',
  approval_void: 'The member who requested it has lost the right',
  destination_archived: 'The destination is archived',
  claim_expired: 'The customer named no address in time',
}

/** Why a payout or a refund waits or failed. A code that is newer than this page is shown as words. */
export function reasonWords(code: string): string {
  const words = code.replaceAll('_', ' ')
  return known[code] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
