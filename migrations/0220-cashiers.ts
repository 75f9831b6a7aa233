import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

const tables = ['members', 'invitations'] as const

/** Members may be cashiers, who use the till and nothing else. The version before gives such a member no right. */
export async function up(db: Queryable): Promise<void> {
  for (const table of tables) await allowRoles(db, table, ['owner', 'developer', 'viewer', 'cashier'])
}

/** Cashiers are no members of the version before. */
export async function down(db: Queryable): Promise<void> {
  for (const table of tables) {
    await db.query(`delete from ${table} where role = 'cashier'`)
    await allowRoles(db, table, ['owner', 'developer', 'viewer'])
  }
}

async function allowRoles(db: Queryable, table: (typeof tables)[number], roles: string[]): Promise<void> {
  const names = roles.map((role) => `'${role}'`).join(', ')
  await db.query(`
    alter table ${table} drop constraint ${table}_role_check, add constraint ${table}_role_check check (role in (${names}))
  `)
}
