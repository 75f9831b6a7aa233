import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { ApiError } from '../platform/errors.ts'
import type { VerificationContext } from './context.ts'
import type { StoredVerification } from './model.ts'
import { readVerification } from './readVerification.ts'

/**
 * Erases the personal data of a verification: the key is destroyed, and the fields. Id, outcome and price stay. Repeating it changes nothing.
 * @throws ApiError 404; 409 `verification_not_ended`
 */
export async function eraseVerification(
  ctx: Pick<VerificationContext, 'db'>,
  { actor, businessId }: { actor: Actor; businessId: string },
  id: string,
): Promise<StoredVerification> {
  return ctx.db.tx(async (tx) => {
    const { id: known } = await readVerification(tx, businessId, id)
    await tx.query('select 1 from verifications where id = $1 for no key update', [known])
    const row = await readVerification(tx, businessId, known)
    if (row.completedAt === null) throw new ApiError(409, 'verification_not_ended', 'This verification is under way; erase it when it has ended')
    if (row.erasedAt) return row
    await tx.query('update verifications set data_key = null, erased_at = now() where id = $1', [known])
    await tx.query('delete from verification_fields where verification_id = $1', [known])
    await recordAudit(tx, actor, { businessId, action: 'verification.erased', target: known })
    return readVerification(tx, businessId, known)
  })
}
