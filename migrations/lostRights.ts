type Tables = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>
type Functions = Readonly<Record<string, readonly string[]>>

/** Privileges by name, each with its columns; null where it covers the whole table. */
function privilegesOf(grant: string): Map<string, ReadonlySet<string> | null> {
  const privileges = [...grant.matchAll(/(\w+)(?: \(([^)]*)\))?(?:, |$)/g)]
  return new Map(
    privileges.map(([, name = '', columns]) => [
      name,
      columns === undefined ? null : new Set(columns.split(/,\s*/)),
    ]),
  )
}

/**
 * What processes of the version before could do, and cannot now, one per line: `npm run cowry -- migrate` revokes it
 * while they run.
 */
export function lostRights(
  before: { tables: Tables; functions: Functions },
  now: { tables: Tables; functions: Functions },
): string[] {
  const ofTables = Object.entries(before.tables).flatMap(([table, roles]) =>
    Object.entries(roles).flatMap(([role, grant = '']) => {
      const kept = privilegesOf(now.tables[table]?.[role] ?? '')
      return [...privilegesOf(grant)].flatMap(([privilege, columns]) => {
        const present = kept.get(privilege)
        if (present === null) return []
        if (present === undefined) return [`${role}: ${privilege} on ${table}`]
        if (columns === null) return [`${role}: ${privilege} on all columns of ${table}`]
        return [...columns]
          .filter((column) => !present.has(column))
          .map((column) => `${role}: ${privilege} (${column}) on ${table}`)
      })
    }),
  )
  const ofFunctions = Object.entries(before.functions).flatMap(([name, callers]) =>
    callers
      .filter((role) => !now.functions[name]?.includes(role))
      .map((role) => `${role}: execute on ${name}`),
  )
  return [...ofTables, ...ofFunctions]
}

/** The same for Redis: rules that allow and are gone, and rules that forbid and are new. */
export function lostRules(
  before: Readonly<Record<string, readonly string[]>>,
  now: Readonly<Record<string, readonly string[]>>,
): string[] {
  const allows = (rule: string) => /^[+~&%]/.test(rule)
  return Object.entries(before).flatMap(([user, rules]) => {
    const kept = now[user] ?? []
    const gone = rules.filter((rule) => allows(rule) && !kept.includes(rule))
    const added = kept.filter((rule) => !allows(rule) && !rules.includes(rule))
    return [...gone, ...added].map((rule) => `${user}: ${rule}`)
  })
}
