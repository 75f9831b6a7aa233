import type { Queryable } from '../platform/database/db.ts'
import type { Account } from './findAccount.ts'
import { challengeMs, makeChallenge, type PasskeyUse } from './passkeyChallenges.ts'
import { relyingParty, type Transport } from './verifyPasskey.ts'

interface PasskeyName {
  id: string
  type: 'public-key'
  transports: Transport[]
}

/** Options for creating a passkey (WebAuthn, 5.4), with bytes in base64url. */
export interface CreationOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  timeout: number
  excludeCredentials: PasskeyName[]
  authenticatorSelection: { residentKey: 'discouraged'; userVerification: 'preferred' }
  attestation: 'none'
}

/** Options of a request to an authenticator (WebAuthn, 5.5). */
export interface RequestOptions {
  challenge: string
  rpId: string
  timeout: number
  allowCredentials: PasskeyName[]
  userVerification: 'preferred'
}

/** EdDSA, ES256, RS256: the algorithms of authenticators. */
const algorithms = [-8, -7, -257]

async function namesOf(db: Queryable, accountId: string): Promise<PasskeyName[]> {
  const rows = await db.query<{ credentialId: Buffer; transports: Transport[] }>(
    'select credential_id as "credentialId", transports from passkeys where account_id = $1 order by id',
    [accountId],
  )
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key',
    transports,
  }))
}

/** A challenge to create a passkey; authenticators that already hold one of the account's are excluded. */
export async function creationOptions(
  db: Queryable,
  issuer: string,
  account: Account,
  signInId: string,
): Promise<CreationOptions> {
  const challenge = await makeChallenge(db, account.id, { purpose: 'register', signInId })
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: relyingParty(issuer).id, name: 'Cowry' },
    user: {
      id: Buffer.from(account.id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: account.email,
      displayName: account.name,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: await namesOf(db, account.id),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** A challenge to the account's passkeys only. */
export async function requestOptions(
  db: Queryable,
  issuer: string,
  accountId: string,
  use: PasskeyUse,
): Promise<RequestOptions> {
  const challenge = await makeChallenge(db, accountId, use)
  return {
    challenge: challenge.toString('base64url'),
    rpId: relyingParty(issuer).id,
    timeout: challengeMs,
    allowCredentials: await namesOf(db, accountId),
    userVerification: 'preferred',
  }
}
