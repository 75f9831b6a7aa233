import globalSetup from '../test/support/globalSetup.ts'
import globalTeardown from '../test/support/globalTeardown.ts'
import { benchApi } from './api.ts'
import { benchDeliveryLists } from './deliveryLists.ts'
import { benchIndexers } from './indexers.ts'
import { benchLatency } from './latency.ts'
import { benchMonitoring } from './monitoring.ts'
import { benchOneProcess } from './oneProcess.ts'
import { isProfileFlag } from './profile.ts'
import { progress } from './progress.ts'
import { type Figure, machine, noise, type Report, save, table } from './report.ts'
import { createScope, type Scope } from './scope.ts'
import { benchSessions } from './sessions.ts'
import { benchStartUp } from './startUp.ts'
import { benchWallets } from './wallets.ts'
import { benchWatchList } from './watchlist.ts'
import { benchWebhooks } from './webhooks.ts'

// npm run bench                        all
// npm run bench -- indexers latency    some
// npm run bench -- --save              appends the table to bench/results.md
// npm run bench -- --cpu-prof=<folder> writes CPU profiles there; the figures are then those of a slower run

const benches: Record<string, (scope: Scope, run: Scope) => Promise<Report>> = {
  indexers: benchIndexers,
  watchlist: benchWatchList,
  sessions: benchSessions,
  webhooks: benchWebhooks,
  latency: benchLatency,
  wallets: benchWallets,
  api: benchApi,
  monitoring: benchMonitoring,
  deliveries: benchDeliveryLists,
  'one-process': benchOneProcess,
  start: benchStartUp,
}

const args = process.argv.slice(2)
const asked = args.filter((arg) => arg !== '--save' && !isProfileFlag(arg))
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(`No such bench: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}; and --save, --cpu-prof=<folder>.\n`)
  process.exit(2)
}

const whole = createScope()
let current: Scope = createScope()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    progress(`${signal}: closing what was opened`)
    void current
      .close()
      .then(() => whole.close())
      .then(() => process.exit(130))
  })
}

const figures: Figure[] = []
const notes: string[] = ['Postgres runs without fsync and with synchronous_commit=off, as in the tests: no figure waits for a disk.', ...noise()]
try {
  whole.keep(null, () => globalTeardown())
  progress('starting Postgres')
  await globalSetup()
  for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
    current = createScope()
    try {
      const report = await benches[name]?.(current, whole)
      figures.push(...(report?.figures ?? []))
      notes.push(...(report?.notes ?? []).map((note) => `${name}: ${note}`))
    } finally {
      progress(`${name}: closing`)
      await current.close()
    }
  }
} finally {
  await whole.close()
}

const text = `${machine()}\n\n${table(figures)}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`
process.stdout.write(`\n${text}`)
if (args.includes('--save')) save(text)
process.exit()
