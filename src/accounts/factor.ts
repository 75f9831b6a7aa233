/** The second factor that confirmed a sign-in. */
export type Factor = 'totp' | 'recovery_code' | 'passkey'

/** Accounts that need a second factor; `owners` includes operators. */
export type FactorPolicy = 'none' | 'operators' | 'owners'
