import type { Decided } from '../approvals/decideApproval.ts'
import { recordAudit } from '../audit/recordAudit.ts'
import type { Role } from '../members/role.ts'
import { sponsorMember } from '../members/sponsors.ts'
import type { Tx } from '../platform/database/db.ts'

interface Member {
  accountId: string
  email: string
  role: Role
  /** Locked by the operator. */
  isLocked: boolean
}

/** @returns the member who is to become an owner; undefined if they left or already own the business */
async function lockWanted(tx: Tx, businessId: string, wanted: unknown): Promise<Member | undefined> {
  const { accountId } = wanted as { accountId: string }
  const [member] = await tx.query<Member>(
    `select m.account_id as "accountId", a.email, m.role, a.locked_at is not null as "isLocked" from members m join accounts a on a.id = m.account_id
     where m.business_id = $1 and m.account_id = $2 and m.role <> 'owner' for update of m`,
    [businessId, accountId],
  )
  return member
}

/** The effect of a decision about another owner. */
export const decidedOwner: Decided = {
  async whyOver(tx, { businessId, wanted }) {
    const member = await lockWanted(tx, businessId, wanted)
    if (!member) return 'The account is no longer a member, or owns the business already'
    return member.isLocked
      ? 'The account is locked by the operator of this platform: ask for it again when it is reset'
      : null
  },
  async approved(tx, { businessId, wanted, askedByAccount }, actor) {
    const member = await lockWanted(tx, businessId, wanted)
    if (!member) return
    const { accountId: target, email, role } = member
    await tx.query("update members set role = 'owner' where business_id = $1 and account_id = $2", [
      businessId,
      target,
    ])
    await sponsorMember(tx, businessId, target, askedByAccount)
    await recordAudit(tx, actor, {
      businessId,
      action: 'member.changed',
      target,
      before: { role },
      after: { email, role: 'owner' },
    })
  },
  async refused() {},
}
