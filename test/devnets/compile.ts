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

const sourceFile = new URL('./contracts/tokens.sol', import.meta.url)

type Contracts = Record<'TestUSDC' | 'TestUSDT' | 'Batch' | 'Forwarder' | 'NativeLog', Compiled>

const own = fileURLToPath(import.meta.url)

/**
 * Compiles the devnets' contracts, once per version of their source. In a separate process: Jest's contexts do not recognize
 * WebAssembly functions, so the compiler does not run there.
 */
export function compileContracts(): Contracts {
  const source = readFileSync(sourceFile, 'utf8')
  const folder = join(import.meta.dirname, '../../node_modules/.cache/cowry')
  const file = join(folder, `contracts-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.json`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', own, file], { stdio: 'inherit' })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Contracts
}

function compile(source: string): Contracts {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'tokens.sol': { content: source } },
        settings: { evmVersion: 'paris', optimizer: { enabled: true }, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
      }),
    ),
  ) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contracts = output.contracts?.['tokens.sol'] ?? {}
  return Object.fromEntries(Object.entries(contracts).map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }])) as never
}

/** Writes a temporary file, then renames it: two suites may compile at the same time. */
function writeContracts(file: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(compile(readFileSync(sourceFile, 'utf8'))))
  renameSync(temporary, file)
}

if (process.argv[1] === own && process.argv[2]) writeContracts(process.argv[2])
