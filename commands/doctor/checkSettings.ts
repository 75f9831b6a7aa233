import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bridgeSettings } from '../../src/bridge/settings.ts'
import { settingsOf } from '../../src/capabilities.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { registry } from '../../src/chains/registry.ts'
import { publicKeyOf } from '../../src/custody/proof.ts'
import { circleFrom } from '../../src/partners/circle/client.ts'
import { ConfigError, readConfig, readConfigOf } from '../../src/platform/config.ts'
import { processVariables } from '../../src/platform/processVariables.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { tracingSettings } from '../../src/platform/telemetry/startTracing.ts'
import { type DoctorContext, settingsIn, valuesOf, withoutParts } from './context.ts'
import { type DoctorPart, type Finding, findingsOf } from './finding.ts'

const { ok, fault } = findingsOf('settings')

/** Every mistake of the settings of these parts, and what several settings together show. */
export function checkSettings(ctx: DoctorContext): Finding[] {
  const found = [
    ...ctx.parts.flatMap((part) =>
      mistakesOf(ctx, part).map((mistake) => fault(part, codeOfMistake(mistake), mistake, cureOf(mistake))),
    ),
    ...chainMistakes(ctx),
    ...keyMistakes(ctx),
    ...misspelt(ctx),
  ]
  return found.some(({ state }) => state === 'fault')
    ? found
    : [ok(ctx.parts.join(', '), 'every setting can be used'), ...found]
}

/** The mistakes that would end a process, as it reports them. */
function mistakesOf({ env }: DoctorContext, part: DoctorPart): readonly string[] {
  const reads: (() => unknown)[] = [() => readPart(env, part)]
  if (part !== 'migrate')
    reads.push(
      () => readConfig(processVariables.every, env),
      () => tracingSettings(env),
    )
  return reads.flatMap((read) => {
    try {
      read()
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes
      throw error
    }
  })
}

/** Reads all that a part reads at its start. @throws ConfigError */
export function readPart(env: NodeJS.ProcessEnv, part: DoctorPart): void {
  if (part === 'migrate') readConfig(['DATABASE_URL', 'DATABASE_DIRECT_URL'], withoutParts(env))
  else
    readConfigOf(
      part,
      processVariables[part],
      env,
      part === 'indexer' || part === 'verification' ? [] : settingsOf(part),
    )
}

const codeOfMistake = (mistake: string) =>
  / is not set$/.test(mistake) ? 'setting_missing' : 'setting_wrong'

const cures: readonly [RegExp, string][] = [
  [
    /^(API|WORKER)_INTENT_/,
    'Make the four keys of intents with `npm run cowry -- intent-keys`, and put each line into .env.',
  ],
  [
    /^(SEED|VERIFY)_KEY/,
    'Make it with `openssl rand -base64 32`, for a new deployment only: with another key, what the one before sealed is lost. Keep a copy apart from the backups.',
  ],
  [
    /^APP_KEY/,
    'Make it with `openssl rand -base64 32`. Of a deployment that ran before, set its own key: with another one, what that one sealed cannot be opened.',
  ],
  [/^KMS_KEY_ARN/, 'Copy the ARN of the key from AWS KMS (docs/custody.md).'],
  [
    /_CA_FILE/,
    'Name a PEM file of the authority that this process may read; in a container, one that is mounted.',
  ],
  [/REDIS_(CLUSTER|SENTINEL)/, 'See docs/deployment.md, Redis that fails over.'],
  [/DATABASE_URL/, 'Give the URL of your Postgres: postgresql://role:password@host:5432/database.'],
  [/REDIS_URL/, 'Give the URL of your Redis: redis://user:password@host:6379.'],
  [
    /^YELLOWCARD_/,
    'Set all values that Yellow Card gave you, or none of them: without them there is no payout partner.',
  ],
  [/^RATES /, 'Write each rate as <currency>=<units for one US dollar>@<day>: NGN=1650.25@2026-11-28.'],
  [/_(RPC|WS|HORIZON)_URLS /, 'Correct the URL; separate several by commas.'],
]

function cureOf(mistake: string): string {
  return (
    cures.find(([form]) => form.test(mistake))?.[1] ??
    'Correct the value; .env.example explains each setting.'
  )
}

function chainMistakes(ctx: DoctorContext): Finding[] {
  const { env, parts } = ctx
  const reading = parts.filter((part) => part !== 'migrate' && part !== 'verification')
  if (reading.length === 0) return []
  const of = reading.join(', ')
  const { chains, mistakes } = configuredChains(env)
  const found = mistakes.map((mistake) => fault(of, 'setting_wrong', mistake, cureOf(mistake)))
  if (chains.length === 0 && mistakes.length === 0)
    found.push(
      fault(
        of,
        'no_chain',
        'no chain is switched on',
        'Name the nodes of one chain at least, such as ETHEREUM_RPC_URLS=https://….',
      ),
    )
  const live = valuesOf(ctx, 'api', ['ENVIRONMENT'])
  // An indexer does not read ENVIRONMENT, and may not have it.
  if (live && reading.some((part) => part !== 'indexer'))
    for (const { name, network } of chains) {
      const isMainnet = registry.find((entry) => entry.name === name)?.network === network
      if (isMainnet === (live.ENVIRONMENT === 'live')) continue
      const setting = registry.find((entry) => entry.name === name)?.family === 'evm' ? 'CHAIN_ID' : 'NETWORK'
      const text = isMainnet
        ? `ENVIRONMENT is test, and ${name} is the mainnet`
        : `ENVIRONMENT is live, and ${name} is not the mainnet`
      found.push(
        fault(
          name,
          'network_mixed',
          text,
          `Set ENVIRONMENT, or ${name.toUpperCase()}_${setting}: tokens of a test network are worth nothing.`,
        ),
      )
    }
  const bridge = settingsIn(ctx, 'api', bridgeSettings)
  if (live && bridge)
    try {
      circleFrom(bridge, live.ENVIRONMENT)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      found.push(
        fault(of, 'setting_wrong', error.message, 'Use https: over http, others could answer for Circle.'),
      )
    }
  return found
}

const secretKeys = ['APP_KEY', 'SEED_KEY', 'VERIFY_KEY', 'API_INTENT_KEY', 'WORKER_INTENT_KEY'] as const
/** 32 random bytes have about 30 different ones; fewer than this has a chance below 10^-12. */
const minDifferentBytes = 20

function keyMistakes({ env }: DoctorContext): Finding[] {
  const found: Finding[] = []
  const keys = secretKeys.flatMap((name) => {
    const bytes = Buffer.from(env[name] ?? '', 'base64')
    return bytes.length === 32 ? [{ name, bytes, text: bytes.toString('base64') }] : []
  })
  for (const { name, bytes } of keys)
    if (new Set(bytes).size < minDifferentBytes)
      found.push(
        fault(
          name,
          'key_guessable',
          `${name} is not random`,
          'Make it with `openssl rand -base64 32` before the first start.',
        ),
      )
  const byText = Map.groupBy(keys, ({ text }) => text)
  for (const same of byText.values()) {
    const names = same.map(({ name }) => name)
    if (names.length > 1)
      found.push(
        fault(
          names.join(', '),
          'key_shared',
          `${names.join(' and ')} are one key`,
          'Make a key for each with `openssl rand -base64 32`.',
        ),
      )
  }
  for (const name of ['API', 'WORKER'] as const) {
    const [own, published] = [
      keys.find((key) => key.name === `${name}_INTENT_KEY`),
      env[`${name}_INTENT_PUBLIC_KEYS`],
    ]
    if (!own || !published) continue
    const listed = published.split(',').map((each) => each.trim())
    if (!listed.includes(publicKeyOf(new Secret(own.text))))
      found.push(
        fault(
          `${name}_INTENT_KEY`,
          'intent_keys_differ',
          `${name}_INTENT_PUBLIC_KEYS lacks the public half of ${name}_INTENT_KEY: the treasury would refuse all that it signs`,
          `Make the pair again with \`npm run cowry -- intent-keys ${name.toLowerCase()}\`, and add its public key as the first one.`,
        ),
      )
  }
  return found
}

/** Names in the file that are nearly those of a setting. */
function misspelt({ fileNames }: DoctorContext): Finding[] {
  if (fileNames.length === 0) return []
  const known = [
    ...readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8').matchAll(
      /^(?:# )?([A-Z][A-Z0-9_]*)=/gm,
    ),
  ].map(([, name = '']) => name)
  return fileNames
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((each) => distance(each, name) <= 2)
      return meant === undefined
        ? []
        : [
            fault(
              name,
              'setting_unknown',
              `${name} is no setting: did you mean ${meant}?`,
              'Correct the name, or remove the line: it changes nothing.',
            ),
          ]
    })
}

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let before = [...Array(b.length + 1).keys()]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(
          (row[j - 1] ?? 0) + 1,
          (before[j] ?? 0) + 1,
          (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    before = row
  }
  return before[b.length] ?? 0
}
