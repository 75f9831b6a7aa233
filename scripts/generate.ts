import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadContract } from '../api/contract.ts'

// npm run generate             writes api/openapi/types.ts from the contract
// npm run generate -- --check  fails when it is not what the contract says

const generator = join(import.meta.dirname, 'contract-types')
const target = join(import.meta.dirname, '../api/openapi/types.ts')
if (!existsSync(join(generator, 'node_modules')))
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], { cwd: generator, stdio: 'inherit' })

const scratch = mkdtempSync(join(tmpdir(), 'cowry-contract-'))
try {
  const bundle = join(scratch, 'openapi.json')
  writeFileSync(bundle, JSON.stringify(loadContract()))
  const output = join(scratch, 'types.ts')
  execFileSync(
    process.execPath,
    [join(generator, 'node_modules/openapi-typescript/bin/cli.js'), bundle, '--output', output, '--default-non-nullable', 'false'],
    { stdio: 'ignore' },
  )
  const made = readFileSync(output, 'utf8')
  if (process.argv.includes('--check')) {
    if (!existsSync(target) || readFileSync(target, 'utf8') !== made) {
      process.stderr.write('api/openapi/types.ts is not what the contract says; run npm run generate\n')
      process.exit(1)
    }
    process.stdout.write('api/openapi/types.ts is up to date\n')
  } else {
    writeFileSync(target, made)
    process.stdout.write('wrote api/openapi/types.ts\n')
  }
} finally {
  rmSync(scratch, { recursive: true })
}
