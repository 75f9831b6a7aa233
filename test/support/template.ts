import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'

/** Each suite's database is a clone of it. */
export const templateDatabase = 'cowry_template'

/** Keys of the test deployment; the seed in the template is sealed with `seedKey`. */
export const seedKey = Buffer.alloc(32, 7).toString('base64')
export const appKey = Buffer.alloc(32, 9).toString('base64')

/** Each process of the test deployment has a role of its own; all test databases share them. */
const rolePassword = 'of-the-tests'
export const testRoles = databaseRoles.map((role) => ({
  role,
  name: `cowry_${role}`,
  password: rolePassword,
}))

/** A database's URL with a process's role in the place of the owner's. */
export function urlAs(role: DatabaseRole, url: string): string {
  return Object.assign(new URL(url), { username: `cowry_${role}`, password: rolePassword }).href
}

/** Settings that give each process its own database role. */
export const roleUrls = (url: string): Record<string, string> =>
  Object.fromEntries(databaseRoles.map((role) => [`${role.toUpperCase()}_DATABASE_URL`, urlAs(role, url)]))
