import { parseArgs } from 'node:util'
import { messageOf } from '../src/platform/errors.ts'
import globalSetup from '../test/support/globalSetup.ts'
import globalTeardown from '../test/support/globalTeardown.ts'
import { benches } from './benches.ts'
import { profileInto } from './profile.ts'
import { progress } from './progress.ts'
import { machine, noise, save, table } from './report.ts'
import { createRun, missingNeeds, runBenches } from './runBenches.ts'
import { createScope } from './scope.ts'

// npm run bench                        all
// npm run bench -- indexers latency    some
// npm run bench -- overview --long    as many rows as a large business has, where a bench has a short form
// npm run bench -- lists --only=listSweeps --rows=20000    some lists, or with fewer rows than 100,000
// npm run bench -- --save              appends the table to bench/results.md
// npm run bench -- --cpu-prof=<folder> writes CPU profiles there, which slows the run down
//
// Exit codes: 0 if everything was measured, 1 if a bench failed or its needs are not met, 2 for wrong
// arguments.

const { asked, isSaved, profiles } = readArguments()
profileInto(profiles)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) refuse(`No such bench: ${unknown.join(', ')}`)
const chosen = Object.entries(benches)
  .map(([name, bench]) => ({ name, ...bench }))
  .filter(({ name }) => asked.length === 0 || asked.includes(name))
  .sort((a, b) => asked.indexOf(a.name) - asked.indexOf(b.name))

const whole = createScope()
const run = createRun(progress)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    progress(`${signal}: closing all resources`)
    run.stopped = true
    void run.current
      .close()
      .then(() => whole.close())
      .then(() => end(130))
  })
}

const missing = await missingNeeds(chosen, whole)
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\nNothing was measured.\n`)
  await whole.close()
  process.exit(1)
}

try {
  whole.keep(null, () => globalTeardown())
  progress('starting Postgres')
  await globalSetup()
  await runBenches(run, chosen, whole)
} finally {
  await whole.close()
}
const failed = run.failures.length > 0 ? 1 : 0
end(run.stopped ? 130 : failed)

function readArguments(): { asked: string[]; isSaved: boolean; profiles: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      options: {
        save: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        rows: { type: 'string' },
        only: { type: 'string', multiple: true },
        'cpu-prof': { type: 'string' },
      },
      allowPositionals: true,
    })
    return { asked: positionals, isSaved: values.save, profiles: values['cpu-prof'] }
  } catch (error) {
    return refuse(messageOf(error).split('. ')[0] ?? '')
  }
}

function refuse(why: string): never {
  process.stderr.write(
    `${why}. Known benches: ${Object.keys(benches).join(', ')}. Flags: --save, --long, --rows=<number>, --only=<list>, --cpu-prof=<folder>.\n`,
  )
  process.exit(2)
}

/** Prints all figures measured so far. */
function end(code: number): never {
  if (run.figures.length > 0) {
    const notes = [
      'Postgres runs without fsync and with synchronous_commit=off, as in the tests: no figure waits for a disk.',
      ...noise(),
      ...run.notes,
    ]
    const text = `${machine()}\n\n${table(run.figures)}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`
    process.stdout.write(`\n${text}`)
    if (isSaved) save(text)
  }
  for (const { name, reason } of run.failures) process.stderr.write(`FAILED: ${name}: ${reason}\n`)
  process.exit(code)
}
