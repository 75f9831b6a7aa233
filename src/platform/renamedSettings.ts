/** Renamed settings, by their new names. The old names work for one more version. */
const oldNames: ReadonlyMap<string, string> = new Map([
  ['INDEXER_CROSS_CHECK_MS', 'INDEXER_WITNESS_MS'],
  ['TXMGR_BUMP_AFTER_MS', 'OUTGOING_STUCK_MS'],
  ['TXMGR_RECONCILE_MS', 'OUTGOING_LOOK_MS'],
  ['TXMGR_UNMINABLE_MS', 'OUTGOING_GONE_MS'],
])

/** The same for settings of each chain: `<CHAIN>_<NAME>`. */
const oldSuffixes: ReadonlyMap<string, string> = new Map([['MIN_CONFIRMATIONS', 'LEAST_CONFIRMATIONS']])

/**
 * Reads a setting, also under its old name, which warns once. An empty value counts as not set.
 * @param name as listed in `.env.example`
 */
export function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  if (env[name]) return env[name]
  const old = oldNameOf(name)
  const value = old === undefined ? undefined : env[old] || undefined
  if (value !== undefined && !warned.has(name)) {
    warned.add(name)
    process.emitWarning(`${old} is now ${name}; the old name works for one more version`, {
      type: 'DeprecationWarning',
      code: 'COWRY_RENAMED_SETTING',
    })
  }
  return value
}

const warned = new Set<string>()

export function oldNameOf(name: string): string | undefined {
  for (const [suffix, old] of oldSuffixes)
    if (name.endsWith(`_${suffix}`)) return `${name.slice(0, -suffix.length)}${old}`
  return oldNames.get(name)
}

/** True for the old name of a setting. */
export const isOldName = (name: string): boolean =>
  [...oldNames.values()].includes(name) ||
  [...oldSuffixes.values()].some((suffix) => name.endsWith(`_${suffix}`))
