/** Defaults that are worked out once, not for each row. */
const constant = /\bdefault (''|-?[\d.]+|true|false|null|now\(\)|current_timestamp)(::[\w[\]]+)?(?= |$)/
const clauses = {
  column:
    /^add (column )?(if not exists )?(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)\w+ \S/,
  /** New columns may have them, in statements of their own: rows are not read. */
  constraint: /^add constraint \w+ (check|foreign key) .*\bnot valid$/,
}

/** Statements that only add. Each is lower case, without comments, texts and double spaces. */
const allowed: readonly RegExp[] = [
  /^create table /,
  /^create index concurrently /,
  /^create (function|type|sequence|domain|schema) /,
  /^comment on /,
  /^grant /,
]

const tableOf = (statement: string): string | undefined =>
  /^(?:alter table (?:if exists )?|create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:\w+ )?on |create (?:constraint )?trigger .* on |insert into |update )(?:only )?(\w+)/.exec(
    statement,
  )?.[1]

/**
 * Statements of a step that may do more than add, for processes of the version before or for their locks;
 * empty if it only expands. What is done to tables that it creates itself, which are not in use yet, is
 * allowed; so is a revoke from the public on its own functions, and the removal of its own index before it is
 * built, which an interrupted run may have left.
 * @param sql all that the step sends, in its order
 */
export function breaksOf(sql: readonly string[]): string[] {
  const statements = sql.flatMap(statementsOf)
  const made = (form: RegExp) => new Set(statements.flatMap((statement) => form.exec(statement)?.[1] ?? []))
  const own = made(/^create table (?:if not exists )?(\w+)/)
  const ownFunctions = made(/^create function (\w+)/)
  const ownIndexes = made(/^create (?:unique )?index concurrently (?:if not exists )?(\w+)/)
  return statements.filter((statement) => {
    const about = tableOf(statement)
    if (about !== undefined && own.has(about)) return false
    const [, revoked] = /^revoke all on function (\w+)\([\w, ]*\) from public$/.exec(statement) ?? []
    if (revoked !== undefined && ownFunctions.has(revoked)) return false
    const [, dropped] = /^drop index concurrently if exists (\w+)$/.exec(statement) ?? []
    if (dropped !== undefined && ownIndexes.has(dropped)) return false
    return !(allowed.some((form) => form.test(statement)) || onlyAdds(statement))
  })
}

/**
 * Columns that rows of the version before may leave out, and that need no read of other rows; constraints
 * that are not checked against them.
 */
function onlyAdds(statement: string): boolean {
  const [, what] = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/.exec(statement) ?? []
  return (
    what !== undefined &&
    topLevelParts(what).every((clause) => clauses.constraint.test(clause) || isPlainColumn(clause))
  )
}

function isPlainColumn(clause: string): boolean {
  if (!clauses.column.test(clause)) return false
  const hasConstant = constant.test(clause)
  if (/\b(unique|primary key|references|check|generated|identity|serial|bigserial)\b/.test(clause))
    return false
  return /\bdefault\b/.test(clause) ? hasConstant : !/\bnot null\b/.test(clause)
}

/** Splits at commas outside of parentheses. */
function topLevelParts(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const each of text) {
    if (each === '(') depth++
    if (each === ')') depth--
    if (each === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += each
  }
  return parts.map((part) => part.trim())
}

/** Splits at semicolons outside of texts and of bodies between dollars. */
function statementsOf(sql: string): string[] {
  const parts =
    sql.replace(/--[^\n]*/g, '').match(/(?:'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;'$]|\$)+/g) ?? []
  const bare = (part: string) =>
    part
      .replace(/'(?:[^']|'')*'/g, "''")
      .replace(/\s+/g, ' ')
      .trim()
  return parts.map((part) => bare(part).toLowerCase()).filter((part) => part !== '')
}
