import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/cowry')

/** What the tests know of the release before without running it. */
export interface ReleaseFacts {
  commit: string
  /** Its migrations. A later version may add steps with numbers between them. */
  steps: string[]
  /** `tableGrants` of its migrations/grants.ts. */
  tables: Record<string, Record<string, string>>
  /** `functionGrants` of the same. */
  functions: Record<string, string[]>
  /** ACL rules of each Redis user. */
  redis: Record<string, string[]>
}

/** Files by path: text, or base64 where they are not. */
export interface ReleaseFiles {
  text: Record<string, string>
  binary: Record<string, string>
}

const folder = join(root, 'test/fixtures/release')
export const factsFile = join(folder, 'facts.json')
export const programsFile = join(folder, 'programs.json.br')

export const releaseFacts = (): ReleaseFacts => JSON.parse(readFileSync(factsFile, 'utf8')) as ReleaseFacts
export const releaseFiles = (): ReleaseFiles =>
  JSON.parse(brotliDecompressSync(readFileSync(programsFile)).toString()) as ReleaseFiles

/** The same files give the same bytes. */
export function compressed(files: ReleaseFiles): Buffer {
  const text = JSON.stringify(files)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  return brotliCompressSync(text, { params })
}

/**
 * Writes the files of a release so that its programs run, as they do in its image.
 * @param into an empty folder, not below `node_modules`: Node takes no TypeScript from there
 */
export function unpackRelease(files: ReleaseFiles, into: string): void {
  const write = (path: string, content: string | Buffer) => {
    const file = join(into, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  for (const [path, text] of Object.entries(files.text)) write(path, text)
  for (const [path, base64] of Object.entries(files.binary)) write(path, Buffer.from(base64, 'base64'))
  symlinkSync(packagesFor(into), join(into, 'node_modules'), 'dir')
  // Quick starts, as in the image. Without rolldown its packages load one by one.
  if (existsSync(join(into, 'node_modules/rolldown')))
    execFileSync(process.execPath, [join(into, 'scripts/bundled/build.mjs')], { stdio: 'inherit' })
}

interface LockFile {
  packages: Record<string, { version?: string; dev?: boolean }>
}

/** Packages that run in production, with their versions. */
const productionOf = (at: string): string => {
  const { packages } = JSON.parse(readFileSync(join(at, 'package-lock.json'), 'utf8')) as LockFile
  const kept = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return JSON.stringify(kept.map(([path, { version }]) => [path, version]).sort())
}

/**
 * The packages of the release: those of this checkout where they are the same, or its own, which are
 * installed once.
 */
function packagesFor(release: string): string {
  if (productionOf(release) === productionOf(root)) return join(root, 'node_modules')
  const installed = join(cache, `release-${releaseFacts().commit.slice(0, 12)}`)
  if (!existsSync(installed)) {
    mkdirSync(cache, { recursive: true })
    const temporary = mkdtempSync(`${installed}.`)
    try {
      for (const file of ['package.json', 'package-lock.json'])
        writeFileSync(join(temporary, file), readFileSync(join(release, file)))
      const args = ['install', '--omit=dev', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund']
      execFileSync('npm', args, { cwd: temporary, stdio: 'inherit' })
      renameSync(temporary, installed)
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true })
      if (!existsSync(installed)) throw error
    }
  }
  return join(installed, 'node_modules')
}
