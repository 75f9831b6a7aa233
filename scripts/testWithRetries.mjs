import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argumentsOf, retrySuites } from './retrySuites.mjs'

// node scripts/testWithRetries.mjs <args>   as npm test -- <args>; each suite that failed runs once more,
// alone, at the end

const folder = mkdtempSync(join(tmpdir(), 'cowry-suites-'))
const test = join(import.meta.dirname, 'test.mjs')
const args = process.argv.slice(2)
let running = null
let count = 0

/** Runs all suites of the arguments, or one. */
async function run(file) {
  const report = join(folder, `${count++}.json`)
  const code = await new Promise((resolve) => {
    running = spawn(process.execPath, [test, ...argumentsOf(args, file, report)], { stdio: 'inherit' })
    running.once('error', () => resolve(1))
    running.once('close', (code) => resolve(code ?? 1))
  })
  return { code, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null }
}

// A terminal signals the whole group; a plain kill reaches only this process.
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true
    if (signal === 'SIGTERM') running?.kill(signal)
  })

try {
  const code = await retrySuites({
    run: (file) => (isStopped ? { code: 1, report: null } : run(file)),
    say: (text) => process.stderr.write(`${text}\n`),
  })
  process.exitCode = isStopped ? 1 : code
} finally {
  rmSync(folder, { recursive: true, force: true })
}
