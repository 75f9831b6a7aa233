import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

type Solc = { compile(input: string): string }

const sourceNames = ['tokens.sol', 'swaps.sol']
const readSources = (): [string, string][] =>
  sourceNames.map((name) => [name, readFileSync(new URL(`./contracts/${name}`, import.meta.url), 'utf8')])

type TokenContracts = 'TestUSDC' | 'TestUSDT' | 'Batch' | 'Forwarder' | 'NativeLog'
type SwapContracts = 'TestSettler' | 'TestDeployer' | 'TestPool' | 'CounterfeitSettler'
type Contracts = Record<TokenContracts | SwapContracts, Compiled>

const own = fileURLToPath(import.meta.url)

/**
 * Compiles the devnets' contracts, once per version of their source. In a separate process: Jest's contexts
 * do not recognize WebAssembly functions, so the compiler does not run there.
 */
export function compileContracts(): Contracts {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/cowry')
  const version = createHash('sha256').update(JSON.stringify(readSources())).digest('hex').slice(0, 16)
  const file = join(folder, `contracts-${version}.json`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', own, file], { stdio: 'inherit' })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Contracts
}

function compile(sources: readonly [string, string][]): Contracts {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries(sources.map(([name, content]) => [name, { content }])),
        settings: {
          evmVersion: 'paris',
          optimizer: { enabled: true },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  ) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contracts = Object.values(output.contracts ?? {}).flatMap((each) => Object.entries(each))
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  ) as never
}

/** Writes a temporary file, then renames it: two suites may compile at the same time. */
function writeContracts(file: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(compile(readSources())))
  renameSync(temporary, file)
}

if (process.argv[1] === own && process.argv[2]) writeContracts(process.argv[2])
