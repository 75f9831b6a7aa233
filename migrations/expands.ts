interface Rule {
  forbids: RegExp
  why: string
}

/** What breaks processes of the version before, or keeps them waiting for a lock. Each statement is lower case, without comments and double spaces. */
const rules: readonly Rule[] = [
  {
    forbids: /\bdrop (table|column|view|function|trigger|type|index|constraint|default|not null|schema)\b/,
    why: 'takes away what the version before may use',
  },
  { forbids: /^alter table \S+ drop \S+/, why: 'takes away what the version before may use' },
  { forbids: /\brename\b/, why: 'takes a name away' },
  { forbids: /\balter column\b|\balter (?!table|index)\S+ (set|type)\b/, why: 'changes a column that the version before writes' },
  { forbids: /\bset not null\b/, why: 'refuses rows of the version before' },
  {
    forbids: /^alter table .*\badd (column )?(if not exists )?\w+ .*\bnot null\b(?!.*\bdefault\b)/,
    why: 'refuses rows of the version before, which lack the column',
  },
  {
    forbids: /^alter table .*\badd (constraint \S+ )?(check|foreign key|unique|primary key|exclude)\b(?!.*\bnot valid$)/,
    why: 'may refuse rows of the version before, and reads the whole table under a lock',
  },
  { forbids: /^create unique index\b/, why: 'may refuse rows of the version before' },
  { forbids: /^create (constraint )?trigger\b|^create or replace (function|trigger|view)\b/, why: 'changes what writes of the version before do' },
  { forbids: /^(update|delete|truncate)\b/, why: 'changes rows that the version before reads; let a maintenance task fill new columns' },
  { forbids: /^lock\b/, why: 'keeps others waiting' },
]

const addedTables = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []))

/**
 * Why a step does not only expand, a line a statement; empty if it does. What is done to tables that it creates itself, which nobody uses yet, is free.
 * @param sql all that the step sends, in its order
 */
export function breaksOf(sql: readonly string[]): string[] {
  const statements = sql.flatMap(statementsOf)
  const own = addedTables(statements)
  return statements.flatMap((statement) => {
    const about =
      /^(?:alter table|create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:\w+ )?on|insert into|update|delete from) (?:only )?(\w+)/.exec(
        statement,
      )?.[1]
    if (about !== undefined && own.has(about)) return []
    if (/^create index (?!concurrently)/.test(statement)) return [`${short(statement)}: blocks writes of the table; create it concurrently`]
    const broken = rules.find(({ forbids }) => forbids.test(statement))
    return broken ? [`${short(statement)}: ${broken.why}`] : []
  })
}

const short = (statement: string): string => (statement.length > 80 ? `${statement.slice(0, 80)}…` : statement)

/** Splits at semicolons outside of quotes and of bodies between dollars. */
function statementsOf(sql: string): string[] {
  const parts = sql.replace(/--[^\n]*/g, '').match(/(?:'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;'$]|\$)+/g) ?? []
  const bare = (part: string) =>
    part
      .replace(/'(?:[^']|'')*'/g, "''")
      .replace(/\s+/g, ' ')
      .trim()
  return parts.map((part) => bare(part).toLowerCase()).filter((part) => part !== '')
}
