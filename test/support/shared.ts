import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder beside the project with the specification's checker and recorded blocks. */
const shared = join(import.meta.dirname, '../../../shared')

export const fixturesFolder = process.env.COWRY_FIXTURES ?? join(shared, 'fixtures')
export const specCheck = join(shared, 'tools/spec-check.mjs')

export const haveFixtures = existsSync(join(fixturesFolder, 'ethereum'))
export const haveSpecCheck = existsSync(specCheck)

/** Says loudly what cannot be tested without that folder; under `CI=true` that is a failure. */
export function requireShared(): void {
  const missing = [
    haveFixtures ? '' : `recorded blocks (${fixturesFolder})`,
    haveSpecCheck ? '' : `the specification's checker (${specCheck})`,
  ].filter(Boolean)
  if (missing.length === 0) return
  const message = `NOT TESTED, because it is missing: ${missing.join(' and ')}. The suites that need it are skipped.`
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n\n`)
}
