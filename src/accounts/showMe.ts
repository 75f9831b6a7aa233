import type { Mailing } from '../mail/queueMail.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { Role } from '../members/role.ts'
import type { Db } from '../platform/database/db.ts'
import { getAccount } from './findAccount.ts'

/** The account that is signed in, and its businesses. */
export interface MeView {
  account: {
    id: string
    email: string
    name: string
    totp: boolean
    passkeys: number
    recoveryCodesLeft: number
    operator: boolean
    emailProven: boolean
    defaultBusinessId: string | null
    createdAt: string
  }
  businesses: { id: string; name: string; role: Role; approval: Approval }[]
  /** True where the deployment sends mail. */
  mail: boolean
}

export async function showMe(ctx: { db: Db; mailing: Mailing | null }, accountId: string): Promise<MeView> {
  return ctx.db.snapshot(async (tx) => {
    const account = await getAccount(tx, accountId)
    const [left] = await tx.query<{ count: number }>(
      'select count(*)::int as count from recovery_codes where account_id = $1 and used_at is null',
      [accountId],
    )
    const businesses = await tx.query<MeView['businesses'][number]>(
      `select b.id, b.name, m.role, b.approval from members m join businesses b on b.id = m.business_id
       where m.account_id = $1 order by m.created_at, b.id`,
      [accountId],
    )
    return {
      account: {
        id: account.id,
        email: account.email,
        name: account.name,
        totp: account.totpEnabledAt !== null,
        passkeys: account.passkeyIds.length,
        recoveryCodesLeft: left?.count ?? 0,
        operator: account.operator,
        emailProven: account.emailProvenAt !== null,
        defaultBusinessId: account.defaultBusinessId,
        createdAt: account.createdAt.toISOString(),
      },
      businesses,
      mail: ctx.mailing !== null,
    }
  })
}
