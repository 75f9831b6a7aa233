import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'
import {
  ensureDatabase,
  type LocalPostgres,
  postgresKind,
  startPostgres,
} from '../../scripts/local/postgres.ts'
import { templateDatabase } from '../support/template.ts'
import { importGraph } from './importGraph.ts'
import { memoryFolder } from './memoryFolder.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/cowry')
const builder = 'test/support/buildTemplate.ts'
const run = promisify(execFile)

/**
 * Starts the run's Postgres, with the template database that suites clone. The template is built once for
 * each state of its sources.
 */
export async function startTestPostgres(home: string): Promise<LocalPostgres> {
  const kept = join(cache, `template-${fingerprint()}`)
  if (!existsSync(kept)) await build(kept)
  const { postgres, forget } = await startInMemory(home, kept)
  return { ...postgres, stop: () => postgres.stop().finally(forget) }
}

async function startInMemory(
  home: string,
  copyOf?: string,
): Promise<{ postgres: LocalPostgres; forget(): void }> {
  const folder = memoryFolder(process.pid)
  const postgres = await startPostgres({
    home,
    durable: false,
    ...(folder && { data: join(folder, 'data') }),
    ...(copyOf && { copyOf }),
  })
  return { postgres, forget: () => folder && rmSync(folder, { recursive: true, force: true }) }
}

/**
 * A hash of the template's sources: the builder and all that it imports, the migrations, the packages,
 * Postgres.
 */
function fingerprint(): string {
  const migrations = readdirSync(join(root, 'migrations')).map((name) => `migrations/${name}`)
  const files = new Set([...importGraph(builder).files, ...migrations, 'package-lock.json'])
  const hash = createHash('sha256').update(postgresKind())
  for (const file of [...files].sort()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Builds in a temporary folder, then renames: another run may build the same. */
async function build(kept: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'cowry-template-'))
  chmodSync(home, 0o755)
  const aside = `${kept}.${process.pid}`
  try {
    const { postgres, forget } = await startInMemory(home)
    try {
      // In a process of its own: the parent of the suites loads no chain library.
      await run(process.execPath, [
        ...nodeArguments,
        join(root, builder),
        await ensureDatabase(postgres, templateDatabase),
      ])
      await postgres.stop()
      forgetOthers()
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      await run('cp', ['-R', '-p', postgres.data, join(postgres.place, 'password'), aside])
    } finally {
      await postgres.stop()
      forget()
    }
    if (!existsSync(kept)) renameSync(aside, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error
  } finally {
    for (const folder of [home, aside]) rmSync(folder, { recursive: true, force: true })
  }
}

const weekMs = 7 * 86_400_000

/** Removes templates of older sources. */
function forgetOthers(): void {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const folder = join(cache, name)
    if (name.startsWith('template-') && Date.now() - statSync(folder).mtimeMs > weekMs)
      rmSync(folder, { recursive: true, force: true })
  }
}
