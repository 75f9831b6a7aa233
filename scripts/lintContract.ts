import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contract } from '../api/contract.ts'
import { undescribed, unexplainedNulls } from './contracts/descriptions.ts'

// Each field, parameter and schema has a description, with the meaning of null where it may be; and Spectral on
// the generated documents, as a part of npm run lint.
// What was found right is not read again until a document, the rules or the linter change.

const root = join(import.meta.dirname, '..')
const linter = join(import.meta.dirname, 'contract-lint')

const documents = ['api/openapi.json', 'api/verification/openapi.json'].map((file) => join(root, file))
let missing = 0
for (const file of documents) {
  const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract
  const mistakes = [
    ...undescribed(contract).map((place) => `${place} has no description`),
    ...unexplainedNulls(contract).map(
      (place) => `${place} may be null, and its description does not tell when`,
    ),
  ]
  missing += mistakes.length
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`)
}
if (missing > 0) process.exit(1)
process.stdout.write('each field of the contracts is described\n')

const rules = join(linter, 'spectral.yaml')
const hash = createHash('sha256')
for (const file of [...documents, rules, join(linter, 'package-lock.json')]) hash.update(readFileSync(file))
const right = join(root, 'node_modules/.cache/cowry/contract-lint', hash.digest('hex').slice(0, 16))

if (!existsSync(right)) {
  if (!existsSync(join(linter, 'node_modules')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: linter,
      stdio: 'inherit',
    })
  const program = join(linter, 'node_modules/@stoplight/spectral-cli/dist/index.js')
  const { status } = spawnSync(
    process.execPath,
    [program, 'lint', ...documents, '--ruleset', rules, '--fail-severity', 'hint'],
    { stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(join(right, '..'), { recursive: true })
  writeFileSync(right, '')
}
process.stdout.write('spectral finds nothing wrong with the contracts\n')
