import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { program } from '../commands/program.ts'
import {
  compressed,
  factsFile,
  programsFile,
  type ReleaseFacts,
  type ReleaseFiles,
  unpackRelease,
} from './release/programs.ts'

const root = join(import.meta.dirname, '..')
const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28 })

/** As the Dockerfile copies them; `cowry` and `renamedPrograms.mjs` in releases before the command `cowry`. */
const parts = [
  ...['api', 'cowry', 'indexers', 'migrations', 'queues', 'treasury', 'commands', 'src'],
  ...['scripts/preload.mjs', 'scripts/oldNames.mjs', 'scripts/renamedPrograms.mjs', 'scripts/bundled'],
  ...['package.json', 'package-lock.json', '.env.example'],
]
/** Tests, and the sources of `openapi.json`. */
const isLeftOut = (path: string) => /\.test\.tsx?$|^api\/.*openapi\/.*\.yaml$/.test(path)

export const run = program('dev record-release', async ([named = 'HEAD']) => {
  const commit = git('rev-parse', `${named}^{commit}`).toString().trim()

  const files: ReleaseFiles = { text: {}, binary: {} }
  for (const path of git('ls-tree', '-r', '-z', '--name-only', commit, '--', ...parts)
    .toString()
    .split('\0')) {
    if (path === '' || isLeftOut(path)) continue
    const content = git('show', `${commit}:${path}`)
    const text = content.toString()
    if (Buffer.from(text).equals(content)) files.text[path] = text
    else files.binary[path] = content.toString('base64')
  }

  const temporary = mkdtempSync(join(tmpdir(), 'cowry-record-'))
  try {
    const release = join(temporary, 'release')
    unpackRelease(files, release)
    const ask = `
      const { functionGrants, tableGrants } = await import('./migrations/grants.ts')
      const { migrationNames } = await import('./migrations/migrated.ts')
      const { queueNames } = await import('./src/capabilities.ts')
      const { redisRules } = await import('./src/platform/redis/redisUsers.ts')
      console.log(JSON.stringify({ steps: migrationNames, tables: tableGrants, functions: functionGrants, redis: redisRules(queueNames) }))`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', ask]
    const answer = execFileSync(process.execPath, args, { cwd: release, maxBuffer: 2 ** 24 }).toString()
    const facts: ReleaseFacts = { commit, ...(JSON.parse(answer) as Omit<ReleaseFacts, 'commit'>) }
    mkdirSync(dirname(factsFile), { recursive: true })
    writeFileSync(factsFile, `${JSON.stringify(facts, null, 2)}\n`)
    writeFileSync(programsFile, compressed(files))
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', factsFile],
      { stdio: 'ignore' },
    )
    process.stdout.write(
      `recorded ${commit} (${facts.steps.at(-1)}), ${Object.keys(files.text).length} files\n`,
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
})
