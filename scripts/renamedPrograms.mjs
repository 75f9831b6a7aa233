import module from 'node:module'
import { join } from 'node:path'
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
const programs = new Map(Object.entries(renamed).map(([before, now]) => [urlOf(before), { before, now }]))

/** Runs a program that is named by its path of the version before. */
export function resolveRenamedPrograms() {
  module.registerHooks({
    resolve(name, context, next) {
      const program = context.parentURL === undefined ? programs.get(name) : undefined
      if (!program) return next(name, context)
      process.stderr.write(`${program.before} is now ${program.now}; the old name works for one more version\n`)
      return next(urlOf(program.now), context)
    },
  })
}
