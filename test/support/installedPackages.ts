import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * The packages of a folder with a package.json and a lock file of its own, which only some tests need.
 * Installed once, from the npm registry, into the cache. @returns the folder that has `node_modules`
 * @throws with what npm said
 */
export function installedPackages(folder: string): string {
  const files = ['package.json', 'package-lock.json'].map((name) => join(root, folder, name))
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const name = `${folder.replaceAll('/', '-')}-${hash.digest('hex').slice(0, 16)}`
  const kept = join(root, 'node_modules/.cache/cowry', name)
  if (existsSync(kept)) return kept
  const aside = `${kept}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  for (const file of files) copyFileSync(file, join(aside, file.slice(join(root, folder).length)))
  process.stderr.write(`Installing the packages of ${folder} (once) …\n`)
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  }
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: aside, env, encoding: 'utf8' })
  if (status !== 0) {
    rmSync(aside, { recursive: true, force: true })
    throw new Error(`npm install of ${folder} failed: ${stdout}${stderr}`)
  }
  if (existsSync(kept)) rmSync(aside, { recursive: true, force: true })
  else renameSync(aside, kept)
  return kept
}
