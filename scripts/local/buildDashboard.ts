import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'web/dist')
/** Where the built pages are. */
export const builtPages = folder
const stampName = '.built-from'

/**
 * Builds the dashboard, unless it is already built from the same sources. The build replaces the old one
 * atomically: builds may run in parallel, and a half-built one is never served.
 */
export async function buildDashboard(say: (text: string) => void = () => {}): Promise<void> {
  const sources = fingerprint()
  if (isBuiltFrom(sources)) return
  say('Building the dashboard …')
  const aside = `${folder}-${process.pid}`
  try {
    const { code, said } = await runVite(aside)
    if (code !== 0) throw new Error(`failed to build the dashboard:\n${said}`)
    writeFileSync(join(aside, stampName), sources)
    if (isBuiltFrom(sources)) return
    if (existsSync(folder)) renameSync(folder, `${aside}-old`)
    renameSync(aside, folder)
  } catch (error) {
    // Another build of the same sources finished first.
    if (!isBuiltFrom(sources)) throw error
  } finally {
    for (const leftover of [aside, `${aside}-old`]) rmSync(leftover, { recursive: true, force: true })
  }
}

const isBuiltFrom = (sources: string): boolean => {
  const stamp = join(folder, stampName)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources
}

/** A hash of the sources of all pages. */
function fingerprint(): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(readFileSync(join(root, 'api/openapi.json')))
  for (const name of ['client', 'docs', 'web']) {
    const files = readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.startsWith(folder))
      .sort()
    for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function runVite(outDir: string): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const vite = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vite/bin/vite.js'),
        'build',
        'web',
        '--outDir',
        outDir,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let said = ''
    for (const stream of [vite.stdout, vite.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    vite.once('error', reject)
    vite.once('close', (code) => resolve({ code, said }))
  })
}
