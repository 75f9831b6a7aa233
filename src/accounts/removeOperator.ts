import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/db.ts'
import { normalEmail } from './findAccount.ts'
import { auditOfVoided, endLinksFor, endOffersOfOperator } from './invitations.ts'

/**
 * Takes the platform from somebody, with the open links to it, and voids what they offered as an operator. Their place in businesses stays.
 * @returns how many links and offers are void; null where they were no operator, and no link was open
 */
export async function removeOperator(ctx: { db: Db }, actor: Actor, email: string): Promise<{ links: number; offers: number } | null> {
  return ctx.db.tx(async (tx) => {
    // Also where nobody has the address yet: whoever has the link would make themselves an operator.
    const links = await endLinksFor(tx, email, 'operator')
    // What they do as an operator keeps the row until it is stored, and is waited for; what comes later finds that they are none.
    const [was] = await tx.query<{ id: string }>('select id from accounts where email = $1 and operator for update', [normalEmail(email)])
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
