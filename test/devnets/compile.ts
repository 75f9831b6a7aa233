import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

type Solc = { compile(input: string): string }

type Contracts = Record<'TestUSDC' | 'TestUSDT' | 'Batch' | 'Forwarder' | 'NativeLog', Compiled>

/** Compiles the devnets' contracts, once for each state of their source. */
export function compileContracts(): Contracts {
  const source = readFileSync(new URL('./contracts/tokens.sol', import.meta.url), 'utf8')
  const folder = join(import.meta.dirname, '../../node_modules/.cache/cowry')
  const file = join(folder, `contracts-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Contracts
  const contracts = compile(source)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(contracts))
  renameSync(`${file}.${process.pid}`, file)
  return contracts
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
