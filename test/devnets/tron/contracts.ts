import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi } from 'viem'
import { type Compiled, compileContracts } from '../compile.ts'

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: { [file: string]: { TronUSDT?: { abi: Abi; evm: { bytecode: { object: string } } } } }
}

/**
 * The devnet's own USDT, and the contracts that all devnets share; compiled once per version of their source.
 */
export function tronContracts(): Record<'TronUSDT' | 'Batch' | 'Forwarder', Compiled> {
  const { Batch, Forwarder } = compileContracts()
  const source = readFileSync(new URL('./usdt.sol', import.meta.url), 'utf8')
  const folder = join(import.meta.dirname, '../../../node_modules/.cache/cowry')
  const file = join(
    folder,
    `tron-usdt-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.json`,
  )
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(compile(source)))
    renameSync(`${file}.${process.pid}`, file)
  }
  return { TronUSDT: JSON.parse(readFileSync(file, 'utf8')) as Compiled, Batch, Forwarder }
}

function compile(source: string): Compiled {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: { 'usdt.sol': { content: source } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  const compiled = output.contracts?.['usdt.sol']?.TronUSDT
  if (errors.length > 0 || !compiled)
    throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
}
