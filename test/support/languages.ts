import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackFromDebian } from '../../scripts/local/debianPackages.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/cowry')
const say = (text: string) => void process.stderr.write(`${text}\n`)

export type Language = 'python' | 'php' | 'go'

/** A program of a language, how it is asked for its version, and the packages of Debian that have it. */
const languages: Record<Language, { name: string; version: string; packages: string[]; unpacked: string }> = {
  python: { name: 'python3', version: '--version', packages: ['python3'], unpacked: 'usr/bin/python3' },
  php: {
    name: 'php',
    version: '--version',
    packages: ['php8.2-cli', 'php8.2-common'],
    unpacked: 'usr/bin/php8.2',
  },
  go: {
    name: 'go',
    version: 'version',
    packages: ['golang-1.19-go', 'golang-1.19-src'],
    unpacked: 'usr/lib/go-1.19/bin/go',
  },
}

/**
 * The machine's own program, or that of Debian's packages, which are downloaded and unpacked without
 * installing (80 MB for Go). @throws if neither is there
 */
export function programOf(language: Language): string {
  const { name, version, packages, unpacked } = languages[language]
  if (spawnSync(name, [version]).status === 0) return name
  const folder = join(cache, language)
  const program = join(folder, 'root', unpacked)
  const isThere = () => existsSync(program) && spawnSync(program, [version]).status === 0
  if (isThere()) return program
  say(`Fetching ${name} from Debian (once) …`)
  if (
    spawnSync('apt-get', ['--version']).status === 0 &&
    unpackFromDebian(folder, packages, { isThere, say })
  )
    return program
  throw new Error(`These tests need ${name} on the path (Debian: apt-get install ${packages.join(' ')})`)
}
