/** What somebody typed as second factor: six digits are the authenticator's, all else is a recovery code. */
export function readCode(typed: string): { totp: string } | { recoveryCode: string } {
  const digits = typed.replace(/\s/g, '')
  return /^[0-9]{6}$/.test(digits) ? { totp: digits } : { recoveryCode: typed.trim() }
}
