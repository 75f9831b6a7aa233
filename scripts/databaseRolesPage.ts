import { functionGrants, tableGrants } from '../migrations/grants.ts'
import { type DatabaseRole, databaseRoles } from '../src/platform/database/grants.ts'
import { markdownTable } from './markdownTable.ts'

/** What a process does with the database, in a line. */
const purposes: Record<DatabaseRole, string> = {
  api: 'answers programs, the dashboard and customers; enqueues what others do',
  worker: 'does the jobs: webhooks, payouts, the books, clean-up',
  indexer: 'writes what it reads of the chains, and enqueues what follows of it',
  treasury: 'signs what leaves; checks each row that it signs',
  verification: 'serves the verification area, and does its checks',
}

const countWith = (role: DatabaseRole, right: RegExp): string =>
  String(Object.values(tableGrants).filter((grants) => right.test(grants[role] ?? '')).length)

/** docs/database-roles.md, from the grants of `npm run cowry -- migrate`. */
export function databaseRolesPage(): string {
  const cell = (given: string | undefined) =>
    (given ?? '').replaceAll(/\b(select|insert|update|delete)\b/g, '**$1**')
  const tables = Object.entries(tableGrants)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, grants]) => [`\`${table}\``, ...databaseRoles.map((role) => cell(grants[role]))])
  const functions = Object.entries(functionGrants).map(([name, callers]) => [
    `\`${name.slice(0, name.indexOf('('))}\``,
    ...databaseRoles.map((role) => (callers.includes(role) ? '**execute**' : '')),
  ])
  return `${[
    '# Database roles',
    '',
    '<!-- Made by `npm run generate` from migrations/grants.ts. -->',
    '',
    'The database rights of each process. `npm run cowry -- migrate` grants these and revokes all others, also from PUBLIC;',
    '`test/security/roles.integration.test.ts` tries every statement with every role.',
    '[Deployment](deployment.md#database-roles) describes how to create the roles.',
    '',
    ...markdownTable(
      ['role', 'what it does', 'reads', 'adds to', 'changes', 'deletes from'],
      databaseRoles.map((role) => [
        `\`${role}\``,
        purposes[role],
        ...[/select/, /insert/, /update/, /delete/].map((right) => countWith(role, right)),
      ]),
    ),
    '',
    `Numbers are tables, of ${Object.keys(tableGrants).length}. Each right by itself:`,
    '',
    '- Columns in brackets: the right covers only these columns. An empty cell: no right.',
    '- Partitions are accessed through their parents. Functions such as `add_audit_months` and `drop_webhook_week` create and drop them with the owner’s rights.',
    '- No role may truncate a table, use a sequence directly, or create a table or a function. Only the owner may create a temporary table.',
    '- The owner may do everything: migrations and the operator’s commands run as the owner, no process does.',
    '',
    ...markdownTable(['table', ...databaseRoles], tables),
    '',
    'Functions that a process calls directly. Trigger functions need no right.',
    '',
    ...markdownTable(['function', ...databaseRoles], functions),
  ].join('\n')}\n`
}
