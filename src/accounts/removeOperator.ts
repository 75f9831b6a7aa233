import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { normalEmail } from '../mail/normalEmail.ts'
import { auditOfVoided, endLinksFor, endOffersOfOperator } from '../members/invitations.ts'
import type { Db } from '../platform/database/db.ts'

/**
 * Removes an operator, with the open links that would make them one, and voids the invitations that they sent
 * as an operator. Memberships stay.
 * @returns how many links and invitations are void; null where the address was not an operator and had no
 * open link
 */
export async function removeOperator(
  ctx: { db: Db },
  actor: Actor,
  email: string,
): Promise<{ links: number; offers: number } | null> {
  return ctx.db.tx(async (tx) => {
    // Also where the address has no account yet: its open link would create an operator.
    const links = await endLinksFor(tx, email, 'operator')
    // Waits for the operator's running changes, which lock the row; later ones are refused.
    const [was] = await tx.query<{ id: string }>(
      'select id from accounts where email = $1 and operator for update',
      [normalEmail(email)],
    )
    if (!was && links.length === 0) return null
    if (was) await tx.query('update accounts set operator = false where id = $1', [was.id])
    const offers = was ? await endOffersOfOperator(tx, was.id) : []
    const voided = [...links, ...offers]
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'operator.removed',
      target: was?.id ?? null,
      before: { email: normalEmail(email) },
      after: voided.length > 0 ? auditOfVoided(voided) : null,
    })
    return { links: links.length, offers: offers.length }
  })
}
