import { randomBytes } from 'node:crypto'
import { publicKeyOf } from '../../src/custody/proof.ts'
import { databaseRoles } from '../../src/platform/database/grants.ts'
import { redisUsers } from '../../src/platform/redis/redisUsers.ts'
import { Secret } from '../../src/platform/secrets.ts'
import type { Answers } from './answers.ts'

const key = () => randomBytes(32).toString('base64')
/** Parts of URLs: letters and digits only. */
const password = () => randomBytes(24).toString('hex')

/** Every setting of a new deployment, with fresh secrets. The operator's own values come last. */
export function madeSettings(answers: Answers): Map<string, string> {
  const intent = { API: key(), WORKER: key() }
  const isKms = answers.more.get('SEED_KEY_PROVIDER') === 'aws-kms'
  return new Map([
    ['APP_KEY', key()],
    ...(isKms ? [] : [['SEED_KEY', key()] as const]),
    ['VERIFY_KEY', key()],
    ...Object.entries(intent).flatMap(([name, made]) => [
      [`${name}_INTENT_KEY`, made] as const,
      [`${name}_INTENT_PUBLIC_KEYS`, publicKeyOf(new Secret(made))] as const,
    ]),
    ['ENVIRONMENT', answers.environment],
    ['BASE_URL', answers.baseUrl],
    ...(answers.own ? ownServers(answers.own) : composeServers()),
    ...[...answers.nodes].map(([chain, urls]) => [`${chain.toUpperCase()}_RPC_URLS`, urls] as const),
    ...answers.more,
  ])
}

/** Each process has a role of its own, which `npm run cowry -- migrate` makes with this password. */
function ownServers({ databaseUrl, redisUrl }: NonNullable<Answers['own']>): (readonly [string, string])[] {
  const urlOf = (role: string) =>
    URL.canParse(databaseUrl)
      ? Object.assign(new URL(databaseUrl), { username: `cowry_${role}`, password: password() }).href
      : databaseUrl
  return [
    ['DATABASE_URL', databaseUrl],
    ...databaseRoles.map((role) => [`${role.toUpperCase()}_DATABASE_URL`, urlOf(role)] as const),
    ['REDIS_URL', redisUrl],
  ]
}

/** docker-compose.yml makes URLs of them. */
const composeServers = (): (readonly [string, string])[] => [
  ['POSTGRES_PASSWORD', password()],
  ...databaseRoles.map((role) => [`${role.toUpperCase()}_DATABASE_PASSWORD`, password()] as const),
  ...redisUsers.map((user) => [`${user.toUpperCase()}_REDIS_PASSWORD`, password()] as const),
  ['GRAFANA_PASSWORD', password()],
  ['BACKUP_KEY', password()],
]
