/** One entry of a container's `env`. */
export type EnvEntry =
  | { name: string; value: string }
  | { name: string; valueFrom: { secretKeyRef: KeyRef } | { configMapKeyRef: KeyRef } }

interface KeyRef {
  name: string
  key: string
  optional?: boolean
}

/** The ConfigMap of all settings that are no secrets. */
export const settingsName = 'cowry-settings'

/**
 * Secrets by who may read them: the owner of the database and the keys of seeds and of personal data are
 * apart from the rest.
 */
export function secretOf(name: string): string {
  if (name === 'POSTGRES_PASSWORD') return 'cowry-owner'
  if (/^(SEED_|AWS_|TREASURY_)/.test(name)) return 'cowry-treasury'
  if (/^(VERIFY_|VERIFICATION_)/.test(name)) return 'cowry-verification'
  return 'cowry-secrets'
}

/**
 * Passwords, keys and App IDs; URLs of nodes, mail servers and the replica, and headers for a collector of traces hold
 * a key or a password, too.
 */
const isSecret = (name: string): boolean =>
  /KEYS?(_PREVIOUS)?$|SECRET|PASSWORD|TOKEN|_URLS$|SMTP_URL|PROXY_URL|REPLICA_URL|_HEADERS$|_APP_ID$/.test(
    name,
  ) && !publicNames.test(name)

/** Public keys, addresses of contracts, and a limit of each key. */
const publicNames = /PUBLIC_KEYS$|_TOKEN_MESSENGER$|_PER_KEY$/

/** Servers are outside: their addresses are settings, in place of compose's own services. */
const servers: Record<string, { scheme: string; settings: string[] }> = {
  'postgres:5432/cowry': { scheme: 'postgresql', settings: ['POSTGRES_SERVER'] },
  'redis:6379': { scheme: '$(REDIS_SCHEME)', settings: ['REDIS_SCHEME', 'REDIS_SERVER'] },
}

/** The same variables as compose gives, from a Secret and a ConfigMap that have the names of `.env`. */
export function environmentFrom(environment: Record<string, string>): EnvEntry[] {
  const entries = new Map<string, EnvEntry>()
  for (const [name, value] of Object.entries(environment))
    for (const entry of entriesOf(name, value)) entries.set(entry.name, entry)
  return [...entries.values()]
}

function entriesOf(name: string, value: string): EnvEntry[] {
  // `${NAME:?why}` is required. Of `${NAME:-${OLD_NAME:-}}`, the old name is not taken over.
  const [, given, kind] = /^\$\{(\w+):([?-])/.exec(value) ?? []
  if (given !== undefined) return [taken(name, given, kind === '-')]
  if (!value.includes('${')) return [{ name, value }]
  // `redis://worker:${WORKER_REDIS_PASSWORD:?why}@redis:6379`: the password and the server are variables of
  // their own, which the URL names.
  const [, user, password, at] = /^\w+:\/\/(\w+):\$\{(\w+):\?[^}]*\}@(.+)$/.exec(value) ?? []
  const server = servers[at ?? '']
  if (user === undefined || password === undefined || !server)
    throw new Error(`${name} has a form that is not known here: ${value}`)
  const url = `${server.scheme}://${user}:$(${password})@$(${server.settings.at(-1)})`
  return [...[password, ...server.settings].map((key) => taken(key, key, false)), { name, value: url }]
}

function taken(name: string, key: string, optional: boolean): EnvEntry {
  const ref = { key, ...(optional && { optional }) }
  return isSecret(name)
    ? { name, valueFrom: { secretKeyRef: { name: secretOf(name), ...ref } } }
    : { name, valueFrom: { configMapKeyRef: { name: settingsName, ...ref } } }
}
