import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(import.meta.url)
const root = join(import.meta.dirname, '../..')

/** The key of the environment's `import()` on a suite's global object. */
export const importPackage = Symbol.for('cowry.importPackage')

/**
 * Packages of many modules. Jest loads all modules for each suite again, at 1 ms and more for each; Node
 * loads these once for each worker. Excluded are packages whose timers suites set, and those that a CommonJS
 * package outside the list requires.
 */
const sharedPackages = [
  '@ethereumjs/common',
  '@ethereumjs/util',
  '@ethereumjs/vm',
  '@scure/base',
  '@scure/bip32',
  '@scure/bip39',
  '@solana/kit',
  '@solana/spl-token',
  '@solana/web3.js',
  '@stellar/stellar-sdk',
  '@stellar/stellar-sdk/base',
  'axe-core',
  'bip39',
  'bullmq',
  'express',
  'express-openapi-validator',
  'fast-check',
  'helmet',
  'ioredis',
  'ipaddr.js',
  'litesvm',
  'p-retry',
  'pg',
  'pino',
  'playwright-core',
  'sequelize',
  'standardwebhooks',
  'svix',
  'tronweb',
  'undici',
  'viem',
  'viem/accounts',
  'viem/utils',
  'yaml',
  'zod',
]

const fileOf = (name: string) => `${name.replaceAll('/', '__')}.mjs`

/**
 * For Jest's `moduleNameMapper`: maps each shared package to a module with the same exports. Written once for
 * each state of the packages.
 */
export function mapSharedPackages(): Record<string, string> {
  const hash = createHash('sha256').update(process.version)
  for (const source of [file, join(root, 'package-lock.json')]) hash.update(readFileSync(source))
  const folder = join(root, 'node_modules/.cache/cowry', `packages-${hash.digest('hex').slice(0, 16)}`)
  // In a process of its own: Jest's parent process does not need them.
  if (!existsSync(folder))
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, folder], {
      stdio: 'inherit',
    })
  return Object.fromEntries(
    sharedPackages.map((name) => [`^${name.replaceAll('.', '\\.')}$`, join(folder, fileOf(name))]),
  )
}

/** A module with the exports of the package `name`. */
async function moduleOf(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter(
    (each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== 'default',
  )
  return [
    `const all = await globalThis[Symbol.for('${importPackage.description}')]('${name}')`,
    'export default all.default',
    `const { ${names.map((each, i) => `${each}: _${i}`).join(', ')} } = all`,
    `export { ${names.map((each, i) => `_${i} as ${each}`).join(', ')} }`,
    '',
  ].join('\n')
}

/** Writes to a temporary folder, then renames: another run may write the same. */
async function writeModules(folder: string): Promise<void> {
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  for (const name of sharedPackages) writeFileSync(join(aside, fileOf(name)), await moduleOf(name))
  try {
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

if (process.argv[1] === file && process.argv[2]) await writeModules(process.argv[2])
