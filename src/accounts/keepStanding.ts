import type { Approval } from '../members/businessApproval.ts'
import type { Role } from '../members/role.ts'
import type { Tx } from '../platform/database/db.ts'

/** The rights of an account that is signed in. */
interface Standing {
  operator: boolean
  /** The membership in the requested business; null: not a member. */
  member: { role: Role; business: { id: string; name: string; approval: Approval } } | null
}

/**
 * Reads and locks an account's rights until the transaction ends. A change that removes a right first locks
 * its row for update; a suspension waits afterwards (`waitForTransactions`). Lock order:
 * docs/architecture.md.
 * @returns null where the sign-in has ended
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
