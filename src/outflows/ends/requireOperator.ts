import { findAccountByEmail } from '../../accounts/findAccount.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * The account of an operator of the platform, who stays one until the transaction ends. @throws ApiError 403
 * `not_an_operator`
 */
export async function requireOperator(tx: Tx, email: string): Promise<{ id: string; email: string }> {
  const account = await findAccountByEmail(tx, email)
  const isOperator = account?.operator === true && account.lockedAt === null
  const kept = isOperator
    ? await tx.query('select 1 from accounts where id = $1 and operator for key share', [account.id])
    : []
  if (!isOperator || kept.length === 0)
    throw new ApiError(403, 'not_an_operator', `${email} is not an operator of the platform`)
  return { id: account.id, email: account.email }
}
