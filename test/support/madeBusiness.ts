import type { Queryable } from '../../src/platform/database/db.ts'

/** Stores a business. @param percents its fee and margin; the deployment's where they are left out */
export async function insertBusiness(
  db: Queryable,
  id: string,
  name = 'A shop',
  percents?: { fee: number; margin: number },
): Promise<void> {
  if (percents)
    await db.query(
      'insert into businesses (id, name, fee_percent, fx_margin_percent) values ($1, $2, $3, $4)',
      [id, name, percents.fee, percents.margin],
    )
  else await db.query('insert into businesses (id, name) values ($1, $2)', [id, name])
}

/** Makes an account a member of a business. */
export const insertMember = (
  db: Queryable,
  businessId: string,
  accountId: string,
  role: 'owner' | 'developer' | 'viewer' = 'owner',
): Promise<unknown> =>
  db.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
    businessId,
    accountId,
    role,
  ])
