import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { settingsOf } from '../capabilities.ts'
import { configuredChains } from '../chains/configuration.ts'
import { chainNames } from '../chains/registry.ts'
import { type ConfigName, configNames, readConfigOf } from './config.ts'
import { isOldName } from './renamedSettings.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Every variable of `.env.example` with its value, and whether its line must be filled in. */
const listed = new Map(
  [...read('.env.example').matchAll(/^(# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, comment, name, value]) => [
    name as string,
    { required: comment === undefined, value: value ?? '' },
  ]),
)

/** The variables that the registry reads for a configured chain, for each chain that can be read. */
function chainVariables(): string[] {
  return chainNames.flatMap((chain) => {
    const prefix = `${chain.toUpperCase()}_`
    const asked = new Set<string>()
    const env = new Proxy<NodeJS.ProcessEnv>(
      { [`${prefix}RPC_URLS`]: 'http://localhost' },
      {
        get(target, name) {
          asked.add(String(name))
          return target[String(name)]
        },
      },
    )
    const readable = configuredChains(env).chains.length > 0
    return readable ? [...asked].filter((name) => name.startsWith(prefix) && !isOldName(name)) : []
  })
}

/** Variables that sources read from the environment directly. */
function directVariables(): string[] {
  const folders = ['api', 'commands', 'indexers', 'migrations', 'queues', 'scripts', 'src', 'treasury']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts') && !file.includes('node_modules'),
      )
      .map((file) => join(folder, file)),
  )
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/process\.env\.([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name as string),
  )
  // The test runner sets the second for its own processes.
  return names.filter((name) => name !== 'PATH' && name !== 'JEST_WORKER_ID')
}

const composeVariables = [...read('docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(
  ([, name]) => name as string,
)

/** The variables that capabilities read, each with its form. */
const registered = new Map(
  (['api', 'worker', 'treasury'] as const)
    .flatMap(settingsOf)
    .flatMap(({ variables }) => Object.entries(variables)),
)
function readOne(name: string): unknown {
  const form = registered.get(name)
  const [names, also] = form ? [[], [{ variables: { [name]: form } }]] : [[name as ConfigName], []]
  return (readConfigOf('api', names, {}, also) as Record<string, unknown>)[name]
}

test('lists every variable of the configuration, of each readable chain, of the scripts and of docker-compose.yml, and no other', () => {
  expect(chainVariables()).toContain('ETHEREUM_RPC_URLS')
  const understood = new Set(
    [
      ...configNames,
      ...registered.keys(),
      ...chainVariables(),
      ...directVariables(),
      ...composeVariables,
    ].filter((name) => !isOldName(name)),
  )
  expect([...listed.keys()].sort()).toEqual([...understood].sort())
})

describe('the configuration', () => {
  test.each([...configNames, ...registered.keys()])(
    '%s is shown with its default, or as one that must be filled in',
    (name) => {
      const shown = listed.get(name)
      let byDefault: unknown
      let required = false
      try {
        byDefault = readOne(name)
      } catch {
        required = true
      }
      expect(shown).toEqual({ required, value: byDefault === undefined ? '' : String(byDefault) })
    },
  )
})

const readable = chainNames.filter((chain) => chainVariables().includes(`${chain.toUpperCase()}_RPC_URLS`))

test.each(readable)("%s is shown with the registry's values", (chain) => {
  const prefix = `${chain.toUpperCase()}_`
  const needed = { [`${prefix}RPC_URLS`]: 'http://localhost' }
  const shown = Object.fromEntries(
    [...listed].filter(([name]) => name.startsWith(prefix)).map(([name, { value }]) => [name, value]),
  )
  expect(configuredChains({ ...shown, ...needed })).toEqual(configuredChains(needed))
  // Variables with a value in the registry are shown; only these have no value.
  const without = Object.keys(shown).filter((name) => !shown[name])
  const optional =
    /_(RPC_URLS|WS_URLS|HORIZON_URLS|API_KEY|CCTP_LOOKUP_TABLE|START_BLOCK|LARGE_FROM|FEE_BUDGET|GAS_BUDGET|DAILY_LIMITS)$/
  const odd = [
    'POLYGON_CONFIRMATIONS',
    'SOLANA_CONFIRMATIONS',
    'TRON_CONFIRMATIONS',
    'BASE_USDT',
    'TRON_USDC',
  ]
  expect(without.filter((name) => !optional.test(name) && !odd.includes(name))).toEqual([])
})
