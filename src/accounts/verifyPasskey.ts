import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import { type PasskeyUse, takeChallenge } from './passkeyChallenges.ts'

export type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

/** A new passkey as a browser sends it; everything but the transports in base64url. */
export interface NewPasskey {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: Transport[]
}

/** An authenticator's answer to a challenge, in base64url. */
export interface PasskeyAnswer {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
}

/** The stored parts of a passkey. */
interface VerifiedPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
}

interface PasskeyContext {
  db: Db
  /** The deployment's URL. */
  issuer: string
}

/** Passkeys are bound to the deployment's host and origin. */
export function relyingParty(issuer: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(issuer)
  return { id: hostname, origin }
}

/**
 * Takes the challenge named by an answer, if it is for this account and use; it counts once, whether or not
 * the rest of the answer is valid.
 */
async function takeItsChallenge(
  ctx: PasskeyContext,
  accountId: string,
  use: PasskeyUse,
  clientDataJSON: string,
): Promise<string | null> {
  const { challenge, crossOrigin } = readClientData(clientDataJSON)
  // The dashboard never requests one from a frame of another site.
  if (typeof challenge !== 'string' || (crossOrigin !== undefined && crossOrigin !== false)) return null
  return (await takeChallenge(ctx.db, accountId, use, Buffer.from(challenge, 'base64url'))) ? challenge : null
}

function readClientData(text: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}

/** @returns null for an answer that is wrong, too late, or not for this session */
export async function verifyNewPasskey(
  ctx: PasskeyContext,
  accountId: string,
  use: PasskeyUse,
  made: NewPasskey,
): Promise<VerifiedPasskey | null> {
  const expectedChallenge = await takeItsChallenge(ctx, accountId, use, made.clientDataJSON)
  if (expectedChallenge === null || !(await attestsNothing(made.attestationObject))) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { id, origin } = relyingParty(ctx.issuer)
  const { clientDataJSON, attestationObject } = made
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: made.id,
        rawId: made.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    })
    if (!registrationInfo || registrationInfo.credential.id !== made.id) return null
    const { publicKey, counter } = registrationInfo.credential
    return { credentialId: Buffer.from(made.id, 'base64url'), publicKey: Buffer.from(publicKey), counter }
  } catch {
    return null
  }
}

/**
 * Attestation is not requested. One with certificates is refused, so that the certificate parser never reads
 * untrusted input; self attestation proves no more than no attestation.
 */
async function attestsNothing(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/**
 * Takes an authenticator's answer for an account; each challenge counts once. A valid answer with a counter
 * that goes backwards comes from a copy of the authenticator: refused, and written to the audit log.
 */
export async function takePasskey(
  ctx: PasskeyContext,
  actor: Actor,
  accountId: string,
  use: PasskeyUse,
  answer: PasskeyAnswer,
): Promise<boolean> {
  const expectedChallenge = await takeItsChallenge(ctx, accountId, use, answer.clientDataJSON)
  const [passkey] = await ctx.db.query<{ id: string; publicKey: Buffer }>(
    'select id, public_key as "publicKey" from passkeys where account_id = $1 and credential_id = $2',
    [accountId, Buffer.from(answer.id, 'base64url')],
  )
  if (expectedChallenge === null || !passkey) return false
  const counter = await counterOf(ctx, answer, expectedChallenge, passkey.publicKey)
  if (counter === null) return false
  const taken = await ctx.db.query(
    `update passkeys set counter = $2, last_used_at = now()
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
    [passkey.id, counter],
  )
  if (taken.length === 0) await auditCopy(ctx, actor, passkey.id, counter)
  return taken.length === 1
}

/** @returns the counter of a valid answer; null for any other */
async function counterOf(
  ctx: PasskeyContext,
  answer: PasskeyAnswer,
  expectedChallenge: string,
  publicKey: Buffer,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx.issuer)
  const { id, ...response } = answer
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      // The counter is compared in the update, after the signature: of two concurrent answers only one may
      // advance it.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

async function auditCopy(
  ctx: PasskeyContext,
  actor: Actor,
  passkeyId: string,
  counter: number,
): Promise<void> {
  const [stored] = await ctx.db.query<{ name: string; counter: string }>(
    'select name, counter from passkeys where id = $1',
    [passkeyId],
  )
  // The passkey was removed meanwhile.
  if (!stored) return
  const after = { reason: 'counter', name: stored.name, counter, expectedAbove: Number(stored.counter) }
  await ctx.db.tx((tx) =>
    recordAudit(tx, actor, { businessId: null, action: 'account.passkey_refused', target: passkeyId, after }),
  )
}
