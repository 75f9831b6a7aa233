/**
 * Reads a typed second factor: six digits are an authenticator's code, anything longer or shorter is a
 * recovery code.
 */
export function readCode(typed: string): { totp: string } | { recoveryCode: string } {
  const digits = typed.replace(/\s/g, '')
  return /^[0-9]{6}$/.test(digits) ? { totp: digits } : { recoveryCode: typed.trim() }
}
