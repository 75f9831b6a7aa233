import { writePrivateText } from './state.ts'

/** Lines that a shell reads with `.`: every value is one argument of the shell. */
export const shellLines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('')

/**
 * Settings of the operators' commands: the databases, the keys, the chains, the partner and the base of
 * links, also those that the operator has configured.
 */
export function writeCommandsEnv(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  {
    chains,
    ...own
  }: {
    chains: readonly string[]
    DATABASE_URL: string
    REDIS_URL: string
    APP_KEY: string
    SEED_KEY: string
    API_INTENT_KEY: string
  },
): void {
  const prefixes = [
    'BASE_URL',
    'YELLOWCARD_',
    'OPENEXCHANGERATES_',
    ...chains.map((chain) => `${chain.toUpperCase()}_`),
  ]
  const given = Object.entries(env).filter(
    (each): each is [string, string] =>
      each[1] !== undefined && prefixes.some((prefix) => each[0].startsWith(prefix)),
  )
  writePrivateText(file, shellLines({ ...Object.fromEntries(given), ...own }))
}
