import { randomBytes } from 'node:crypto'
import type { Queryable } from '../platform/database/db.ts'

/** The purpose of a challenge, and the session that requests it. */
export interface PasskeyUse {
  /** `register`: a new passkey; `confirm`: the second factor again, in a session. */
  purpose: 'register' | 'sign_in' | 'confirm'
  /** The session that requests it; null while signing in. */
  signInId: string | null
}

/** Time for an authenticator to answer. */
const minutes = 5
export const challengeMs = minutes * 60_000

/** Creates a challenge of 256 random bits, valid once, for this account and use. */
export async function makeChallenge(
  db: Queryable,
  accountId: string,
  { purpose, signInId }: PasskeyUse,
): Promise<Buffer> {
  const challenge = randomBytes(32)
  await db.query('delete from passkey_challenges where account_id = $1 and expires_at <= now()', [accountId])
  await db.query(
    `insert into passkey_challenges (challenge, account_id, purpose, sign_in_id, expires_at)
     values ($1, $2, $3, $4, now() + interval '${minutes} minutes')`,
    [challenge, accountId, purpose, signInId],
  )
  return challenge
}

/**
 * Takes a challenge, once; false where it is for another account or use, has expired, or was taken before.
 */
export async function takeChallenge(
  db: Queryable,
  accountId: string,
  { purpose, signInId }: PasskeyUse,
  challenge: Buffer,
): Promise<boolean> {
  const taken = await db.query<{ holds: boolean }>(
    `delete from passkey_challenges where challenge = $1 and account_id = $2 and purpose = $3 and sign_in_id is not distinct from $4
     returning expires_at > now() as holds`,
    [challenge, accountId, purpose, signInId],
  )
  return taken[0]?.holds ?? false
}

/** Ends registrations started before the account's second factors changed. */
export const endRegistrations = async (db: Queryable, accountId: string): Promise<void> =>
  void (await db.query(`delete from passkey_challenges where account_id = $1 and purpose = 'register'`, [
    accountId,
  ]))

/** Deletes expired challenges, for maintenance. */
export const forgetChallenges = async (db: Queryable): Promise<void> =>
  void (await db.query('delete from passkey_challenges where expires_at <= now()'))
