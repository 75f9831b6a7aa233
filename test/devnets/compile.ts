import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

type Solc = { compile(input: string): string }

/** Compiles the devnets' contracts. */
export function compileContracts(): Record<'TestUSDC' | 'TestUSDT' | 'Batch', Compiled> {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const source = readFileSync(new URL('./contracts/tokens.sol', import.meta.url), 'utf8')
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'tokens.sol': { content: source } },
        settings: { evmVersion: 'paris', optimizer: { enabled: true }, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
      }),
    ),
  ) as { errors?: { severity: string; formattedMessage: string }[]; contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>> }
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contracts = output.contracts?.['tokens.sol'] ?? {}
  return Object.fromEntries(Object.entries(contracts).map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }])) as never
}
