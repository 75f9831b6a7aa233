import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Paths of programs in the version before. They work for one more version, with a warning. */
const renamed = {
  'indexers/acceptFork.ts': 'commands/acceptFork.ts',
  'indexers/rescan.ts': 'commands/rescan.ts',
  'queues/treasury/main.ts': 'treasury/main.ts',
  'queues/treasury/openAccount.ts': 'commands/openAccount.ts',
  'queues/treasury/rollWalletKey.ts': 'commands/rollWalletKey.ts',
  'scripts/account.ts': 'commands/account.ts',
  'scripts/business.ts': 'commands/business.ts',
  'scripts/deadJobs.ts': 'commands/deadJobs.ts',
  'scripts/intentKeys.ts': 'commands/intentKeys.ts',
  'scripts/keys.ts': 'commands/keys.ts',
  'scripts/outgoing.ts': 'commands/intents.ts',
}
const urlOf = (path) => pathToFileURL(join(import.meta.dirname, '..', path)).href

/** Runs the program under its new path, if the old one was named. */
export function resolveRenamedProgram() {
  const before = Object.keys(renamed).find(
    (path) => join(import.meta.dirname, '..', path) === resolve(process.argv[1] ?? ''),
  )
  if (before === undefined) return
  const now = renamed[before]
  process.stderr.write(`${before} is now ${now}; the old name works for one more version\n`)
  module.registerHooks({
    resolve: (name, context, next) => next(name === urlOf(before) ? urlOf(now) : name, context),
  })
}
