/** The processes that have their own database role. */
export const databaseRoles = ['api', 'worker', 'indexer', 'treasury', 'verification'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

/**
 * The rights of each role on a table: SQL privileges, with columns where they do not cover the whole table.
 */
export type Grants = Readonly<Partial<Record<DatabaseRole, string>>>
