/** What a sign-in was confirmed with besides the password. */
export type Factor = 'totp' | 'recovery_code' | 'passkey'

/** Whom the deployment requires a second factor of; `owners`: and of operators. */
export type FactorPolicy = 'none' | 'operators' | 'owners'
