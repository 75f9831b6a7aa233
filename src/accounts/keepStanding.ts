import type { Tx } from '../platform/db.ts'
import type { Role } from './caller.ts'
import type { Approval } from './models.ts'

/** What somebody who is signed in may do. */
interface Standing {
  operator: boolean
  /** In the business that was asked for; null: they are no member of it. */
  member: { role: Role; business: { id: string; name: string; approval: Approval } } | null
}

/**
 * What an account may do now, which stays so until the transaction ends; null where the sign-in has ended. Whoever takes any of it away
 * locks the row for update first; a suspension waits afterwards (`waitForTransactions`). The order of these locks is that of docs/architecture.md.
 */
export async function keepStanding(
  tx: Tx,
  { accountId, signInId }: { accountId: string; signInId: string },
  businessId: string | null,
): Promise<Standing | null> {
  const [member] =
    businessId === null
      ? []
      : await tx.query<{ role: Role; id: string; name: string; approval: Approval }>(
          `select m.role, b.id, b.name, b.approval from businesses b join members m on m.business_id = b.id
           where b.id = $1 and m.account_id = $2 for key share of b, m`,
          [businessId, accountId],
        )
  const [account] = await tx.query<{ operator: boolean }>(
    `select a.operator from accounts a join sign_ins s on s.account_id = a.id
     where a.id = $1 and s.id = $2 and s.revoked_at is null and s.expires_at > now() for key share of a, s`,
    [accountId, signInId],
  )
  if (!account) return null
  if (!member) return { operator: account.operator, member: null }
  const { role, ...business } = member
  return { operator: account.operator, member: { role, business } }
}
