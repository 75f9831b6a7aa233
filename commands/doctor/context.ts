import {
  type Config,
  ConfigError,
  type ConfigName,
  type Part,
  readConfigOf,
  readSettings,
} from '../../src/platform/config.ts'
import type { Settings, SettingValues } from '../../src/platform/settings.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import type { DoctorPart } from './finding.ts'

export interface DoctorContext {
  env: NodeJS.ProcessEnv
  /** The parts that this environment is for. */
  parts: readonly DoctorPart[]
  /** Names in the file of `--env`. */
  fileNames: readonly string[]
  log: Log
}

/** Of one attempt to connect, or one request: a busy machine is not a fault. */
export const stepMs = 10_000

/** A part's values; null where one has a mistake, which the settings' own check reports. */
export function valuesOf<const N extends ConfigName>(
  { env }: DoctorContext,
  part: DoctorPart,
  names: readonly N[],
): Config<N> | null {
  // `npm run cowry -- migrate` uses the owner's URL, and no part's.
  return part === 'migrate'
    ? orNull(() => readConfigOf('api', names, withoutParts(env)))
    : orNull(() => readConfigOf(part, names, env))
}

/** The same for settings of a capability. */
export const settingsIn = <S extends Settings>(
  { env }: DoctorContext,
  part: Part,
  settings: S,
): SettingValues<S> | null => orNull(() => readSettings(part, settings, env))

export const withoutParts = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^[A-Z]+_(DATABASE|REDIS)_URL$/.test(name)))

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigError) return null
    throw error
  }
}

/** The code of a failed connection, or of its cause. */
export function codeOf(error: unknown): string {
  for (
    let each: unknown = error;
    typeof each === 'object' && each !== null;
    each = (each as { cause?: unknown }).cause
  ) {
    const { code, errors } = each as { code?: unknown; errors?: readonly unknown[] }
    if (typeof code === 'string' && code !== '') return code
    // All addresses of a name were tried.
    if (errors?.[0]) return codeOf(errors[0])
  }
  // Of Postgres, a pool or a client reports only that it waited.
  return (error as { name?: unknown } | null)?.name === 'TimeoutError' ||
    (error instanceof Error && /timeout/i.test(error.message))
    ? 'ETIMEDOUT'
    : ''
}

/** What a failure to reach a host means, and what to do. Null for another failure. */
export function unreachable(code: string, host: string): { text: string; cure: string } | null {
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return { text: `nothing answers at ${host} (${code})`, cure: 'Start it, or correct host and port.' }
  if (['ENOTFOUND', 'EAI_AGAIN', 'EDNS'].includes(code))
    return {
      text: `the name ${host} does not resolve (${code})`,
      cure: 'Correct the name, or the DNS of this machine.',
    }
  if (
    [
      'ETIMEDOUT',
      'UND_ERR_CONNECT_TIMEOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ESOCKET',
      'ECONNECTION',
    ].includes(code)
  )
    return {
      text: `${host} does not answer (${code})`,
      cure: 'Open the way to it in firewall and network rules, or correct host and port.',
    }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|ERR_SSL|ERR_TLS|EPROTO/.test(code))
    return {
      text: `the TLS certificate of ${host} is not accepted (${code})`,
      cure: 'Renew it for this name, with its whole chain; name an authority of your own in NODE_EXTRA_CA_CERTS.',
    }
  return null
}
