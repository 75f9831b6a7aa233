import type { Queryable } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { hashOfLinkToken, newLinkToken } from './linkToken.ts'

/**
 * Gives a queued reset its link, valid for an hour; voids an earlier mailed one. The database writes it: a
 * worker may create no other link.
 * @param seal encrypts the token for the mail's row
 */
export async function offerMailedReset(
  db: Queryable,
  mailId: string,
  seal: (token: Secret) => Buffer,
): Promise<{ invitationId: string; sealed: Buffer }> {
  const token = newLinkToken()
  const invitationId = newId()
  const sealed = seal(new Secret(token))
  await db.query('select offer_mailed_reset($1, $2, $3, $4)', [
    mailId,
    invitationId,
    hashOfLinkToken(token),
    sealed,
  ])
  return { invitationId, sealed }
}
