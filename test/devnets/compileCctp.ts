import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Abi } from 'viem'
import type { Compiled } from './compile.ts'

/** Contracts of CCTP v2 that a devnet deploys, by the file that holds them. */
const wanted = {
  MessageTransmitterV2: 'src/v2/MessageTransmitterV2.sol',
  TokenMessengerV2: 'src/v2/TokenMessengerV2.sol',
  TokenMinterV2: 'src/v2/TokenMinterV2.sol',
  AdminUpgradableProxy: 'src/proxy/AdminUpgradableProxy.sol',
}
export type CctpContracts = Record<keyof typeof wanted, Compiled>

const own = fileURLToPath(import.meta.url)
const sources = join(import.meta.dirname, 'contracts/cctp')
const packages = join(import.meta.dirname, '../../node_modules')

/**
 * Compiles Circle's contracts with their own compiler, once per version of their sources. In a separate
 * process, as `compileContracts`; not waiting for it synchronously, because connections to running devnets
 * would time out.
 */
export async function compileCctp(): Promise<CctpContracts> {
  const hash = createHash('sha256')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sol'),
  )
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(sources, name)))
  const folder = join(packages, '.cache/cowry')
  const file = join(folder, `cctp-${hash.digest('hex').slice(0, 16)}.json`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', own, file])
  }
  return JSON.parse(readFileSync(file, 'utf8')) as CctpContracts
}

/** As in Circle's foundry.toml: there the libraries are submodules, here they are packages. */
const remappings = { '@openzeppelin/': 'lib/openzeppelin-contracts/', '@memview-sol/': 'lib/memview-sol/' }
const folders = {
  'lib/openzeppelin-contracts/': join(packages, '@openzeppelin/'),
  'lib/memview-sol/': join(packages, '@summa-tx/memview-sol/'),
  'src/': `${sources}/`,
}

function replacePrefix(name: string, by: Record<string, string>): string {
  const [prefix, other] = Object.entries(by).find(([start]) => name.startsWith(start)) ?? ['', '']
  return other + name.slice(prefix.length)
}

/** The source and, recursively, what it imports. */
function collect(name: string, found: Record<string, { content: string }>): void {
  if (found[name]) return
  const content = readFileSync(replacePrefix(name, folders), 'utf8')
  found[name] = { content }
  for (const [, path = ''] of content.matchAll(/^import\s+(?:\{[^}]*\}\s+from\s+)?"([^"]+)"/gm)) {
    const full = path.startsWith('.') ? posix.join(posix.dirname(name), path) : path
    collect(replacePrefix(full, remappings), found)
  }
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function compile(): CctpContracts {
  const solc = createRequire(import.meta.url)('solc-0.7') as { compile(input: string): string }
  const found = {}
  for (const name of Object.values(wanted)) collect(name, found)
  const mapped = Object.entries(remappings).map(([from, to]) => `${from}=${to}`)
  const settings = {
    remappings: mapped,
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources: found, settings })),
  ) as Output
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const entries = Object.entries(wanted).map(([name, file]) => {
    const made = output.contracts?.[file]?.[name]
    if (!made) throw new Error(`${name} was not compiled`)
    return [name, { abi: made.abi, bytecode: `0x${made.evm.bytecode.object}` }]
  })
  return Object.fromEntries(entries) as CctpContracts
}

/** Writes a temporary file, then renames it: two suites may compile at the same time. */
function writeContracts(file: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(compile()))
  renameSync(temporary, file)
}

if (process.argv[1] === own && process.argv[2]) writeContracts(process.argv[2])
