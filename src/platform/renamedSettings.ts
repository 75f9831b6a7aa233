/** Settings that were renamed, by their new names. The old names work for one version more. */
const oldNames: ReadonlyMap<string, string> = new Map([['INDEXER_CROSS_CHECK_MS', 'INDEXER_WITNESS_MS']])

/** The same of settings that each chain has: `<CHAIN>_<NAME>`. */
const oldSuffixes: ReadonlyMap<string, string> = new Map([['MIN_CONFIRMATIONS', 'LEAST_CONFIRMATIONS']])

/**
 * The value of a setting, also where it is set under its old name: that warns once. An empty value is no value.
 * @param name as `.env.example` lists it
 */
export function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  if (env[name]) return env[name]
  const old = oldNameOf(name)
  const value = old === undefined ? undefined : env[old] || undefined
  if (value !== undefined && !warned.has(name)) {
    warned.add(name)
    process.emitWarning(`${old} is now ${name}; the old name works for one version more`, {
      type: 'DeprecationWarning',
      code: 'COWRY_RENAMED_SETTING',
    })
  }
  return value
}

const warned = new Set<string>()

export function oldNameOf(name: string): string | undefined {
  for (const [suffix, old] of oldSuffixes) if (name.endsWith(`_${suffix}`)) return `${name.slice(0, -suffix.length)}${old}`
  return oldNames.get(name)
}

/** Whether this is the old name of a setting. */
export const isOldName = (name: string): boolean =>
  [...oldNames.values()].includes(name) || [...oldSuffixes.values()].some((suffix) => name.endsWith(`_${suffix}`))
