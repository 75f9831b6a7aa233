/**
 * Codes of the partner's refusals, by https://docs.yellowcard.engineering/docs/errors-api, as reasons of
 * ours; `AmountOutOfRange` is our client's.
 */
const refusals: Readonly<Record<string, string>> = {
  PaymentValidationError: 'partner_invalid_request',
  InvalidRequestBody: 'partner_invalid_request',
  InvalidPhoneNumberFormat: 'partner_invalid_phone',
  ResolveAccountError: 'bank_account_not_found',
  AmountOutOfRange: 'amount_out_of_range',
}

/** A refusal of us, and not of the payment: the payment waits until the operator has mended it. */
export const refusesCredentials = (code: string | null): boolean =>
  code === 'AuthenticationError' || code === 'PermissionError'

/** The stable reason of a payment that was refused. */
export const reasonOfRefusal = (code: string | null): string => refusals[code ?? ''] ?? 'partner_refused'

/**
 * Codes of payments that failed later. Their documentation has no list of them; these are what our stand-in
 * and public integrations know.
 */
const failures: Readonly<Record<string, string>> = {
  INSUFFICIENT_LIQUIDITY: 'partner_no_liquidity',
  DENIED: 'partner_denied',
  REFUSED: 'bank_refused',
}

/** The stable reason of a payment that was paid, and that the bank has returned. */
export const reasonOfReturn = (errorCode: string | null): string =>
  failures[errorCode ?? ''] ?? 'bank_returned'

/** The stable reason of a payment that has failed or expired. */
export const reasonOfFailure = (status: string, errorCode: string | null): string =>
  status.toUpperCase() === 'EXPIRED' ? 'partner_expired' : (failures[errorCode ?? ''] ?? 'partner_failed')
