import { databaseRoles, functionGrants, tableGrants } from '../migrations/grants.ts'
import { markdownTable } from './markdownTable.ts'

/** docs/database-roles.md, of what `npm run migrate` grants. */
export function databaseRolesPage(): string {
  const cell = (given: string | undefined) => (given ?? '').replaceAll(/\b(select|insert|update|delete)\b/g, '**$1**')
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
    'What the role of each process may do in the database. `npm run migrate` grants this and takes back the rest, from PUBLIC too;',
    '`test/security/roles.integration.test.ts` tries every statement with every role. How the roles are made: [operations.md](operations.md#database-roles).',
    '',
    '- Columns stand in brackets where a role has not the whole table. An empty cell is no right at all.',
    '- Partitions are reached by their parents. `add_webhook_partition` and `drop_webhook_week` make and drop them by the rights of their owner.',
    '- No role may truncate a table, use a sequence by itself, or make a table, a function or, but for the owner, a temporary table.',
    '- The owner, by whom migrations and the operator’s commands run, may do everything; no process needs it.',
    '',
    ...markdownTable(['table', ...databaseRoles], tables),
    '',
    'Functions that a process calls by itself. Those of triggers need no right.',
    '',
    ...markdownTable(['function', ...databaseRoles], functions),
  ].join('\n')}\n`
}
