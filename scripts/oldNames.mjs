import module from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Names of the version before. They work for one more version, with a warning.

/** npm scripts, and the commands that they are now. */
export const oldScripts = {
  api: 'run api',
  indexer: 'run indexer',
  worker: 'run worker',
  treasury: 'run treasury',
  verification: 'run verification',
  rescan: 'rescan',
  'accept-fork': 'accept-fork',
  'open-account': 'open-account',
  'lookup-table': 'lookup-table',
  intents: 'intents',
  outgoing: 'intents',
  fees: 'fees',
  reconcile: 'reconcile',
  backup: 'backup',
  ledger: 'ledger',
  payouts: 'payouts',
  rates: 'rates',
  sweeps: 'sweeps',
  bridge: 'bridge',
  staking: 'staking',
  business: 'business',
  keys: 'keys',
  'intent-keys': 'intent-keys',
  account: 'account',
  custody: 'custody',
  'roll-wallet-key': 'roll-wallet-key',
  init: 'init',
  doctor: 'doctor',
  migrate: 'migrate',
  deliveries: 'deliveries',
  'dead-jobs': 'dead-jobs',
  'test:times': 'dev test-times',
  'pin-images': 'dev pin-images',
  'record-release': 'dev record-release',
}

/** npm scripts that are a tool's own command now. */
export const oldTools = {
  format: 'npx biome check --write .',
  build: 'npx vite build web',
}

/** Paths of programs, as the image and `node` took them. */
export const oldPaths = {
  'cowry/main.ts': 'run all',
  'api/main.ts': 'run api',
  'api/verification/main.ts': 'run verification',
  'indexers/main.ts': 'run indexer',
  'queues/main.ts': 'run worker',
  'treasury/main.ts': 'run treasury',
  'migrations/main.ts': 'migrate',
  'indexers/acceptFork.ts': 'accept-fork',
  'indexers/rescan.ts': 'rescan',
  'queues/treasury/main.ts': 'run treasury',
  'queues/treasury/openAccount.ts': 'open-account',
  'queues/treasury/rollWalletKey.ts': 'roll-wallet-key',
  'scripts/account.ts': 'account',
  'scripts/business.ts': 'business',
  'scripts/deadJobs.ts': 'dead-jobs',
  'scripts/intentKeys.ts': 'intent-keys',
  'scripts/keys.ts': 'keys',
  'scripts/outgoing.ts': 'intents',
  'commands/acceptFork.ts': 'accept-fork',
  'commands/deadJobs.ts': 'dead-jobs',
  'commands/intentKeys.ts': 'intent-keys',
  'commands/lookupTable.ts': 'lookup-table',
  'commands/openAccount.ts': 'open-account',
  'commands/rollWalletKey.ts': 'roll-wallet-key',
  ...Object.fromEntries(
    Object.entries(oldScripts)
      .filter(([, now]) => /^[a-z]+$/.test(now))
      .map(([, now]) => [`commands/${now}.ts`, now]),
  ),
}

/** The command of a program's old path; undefined for any other word. */
export const commandOfPath = (path) => (Object.hasOwn(oldPaths, path) ? oldPaths[path] : undefined)

/** Runs the command, if the path of its program was named. */
export function resolveOldPath() {
  const root = join(import.meta.dirname, '..')
  const before = relative(root, resolve(process.argv[1] ?? ''))
  const command = commandOfPath(before)
  if (command === undefined) return
  process.stderr.write(`${before} is now cowry ${command}; the old name works for one more version\n`)
  const [path, cowry] = [join(root, before), join(root, 'commands/cowry.ts')]
  process.argv.splice(1, 1, cowry, ...command.split(' '))
  const urlOf = (file) => pathToFileURL(file).href
  module.registerHooks({
    resolve: (name, context, next) =>
      next(name === urlOf(path) && context.parentURL === undefined ? urlOf(cowry) : name, context),
  })
}
