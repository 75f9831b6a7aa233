import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, size, toFunctionSelector } from 'viem'
import { rpc } from '../devnets/evm.ts'

/**
 * The behaviour of a contract when a function is called: returns these bytes, reverts with them, or runs this
 * code.
 */
export type Behaviour = { answers: Hex } | { reverts: Hex } | { runs: Hex }

const push2 = (value: number): string => `61${value.toString(16).padStart(4, '0')}`

/**
 * The code of a contract with a fixed behaviour for each function by its signature (`symbol()`) and for all
 * others (`*`; left out, it reverts). Assembled by hand: no compiler writes such hostile tokens.
 */
export function answeringContract(functions: Record<string, Behaviour>): Hex {
  const { '*': otherwise = { reverts: '0x' as const }, ...named } = functions
  const cases = [
    ...Object.entries(named).map(([signature, does]) => ({ selector: toFunctionSelector(signature), does })),
    { selector: null, does: otherwise },
  ]
  // Selector of the call; then for each function DUP1 PUSH4 EQ PUSH2 JUMPI; then a jump to the last.
  const start = '60003560e01c'
  const headLength = start.length / 2 + 11 * (cases.length - 1) + 4
  const bodies = cases.map(({ does }) => {
    if ('runs' in does) return does.runs
    return 'answers' in does ? does.answers : does.reverts
  })
  const bodyLengths = cases.map(({ does }, index) => 1 + ('runs' in does ? size(bodies[index] as Hex) : 15))
  const offset = (index: number) =>
    headLength + bodyLengths.slice(0, index).reduce((sum, length) => sum + length, 0)
  const data = (index: number) =>
    offset(cases.length) +
    cases
      .slice(0, index)
      .reduce((sum, { does }, at) => sum + ('runs' in does ? 0 : size(bodies[at] as Hex)), 0)
  const head = cases.map(({ selector }, index) =>
    selector ? `8063${selector.slice(2)}14${push2(offset(index))}57` : `${push2(offset(index))}56`,
  )
  const code = cases.map(({ does }, index) => {
    const bytes = bodies[index] as Hex
    if ('runs' in does) return `5b${bytes.slice(2)}`
    // CODECOPY to 0, then RETURN or REVERT of as many bytes.
    return `5b${push2(size(bytes))}${push2(data(index))}600039${push2(size(bytes))}6000${'answers' in does ? 'f3' : 'fd'}`
  })
  const appended = cases.map(({ does }, index) => ('runs' in does ? '' : (bodies[index] as Hex).slice(2)))
  return `0x${start}${head.join('')}${code.join('')}${appended.join('')}`
}

/** Runs into an invalid instruction, which burns all gas. */
export const burnsAllGas: Behaviour = { runs: '0xfe' }

/** Returns a string of this many zero bytes. */
export const answersZeros = (bytes: number): Behaviour => ({
  runs: `0x602060005262${bytes.toString(16).padStart(6, '0')}60205262${(bytes + 64).toString(16).padStart(6, '0')}6000f3`,
})

/** Puts the code of a contract at an address of a devnet. */
export const putCode = (rpcUrl: string, address: string, code: Hex): Promise<unknown> =>
  rpc(rpcUrl, 'anvil_setCode', [address, code])

/** Puts Multicall3, from viem's copy of its code, at its address on real chains. */
export async function putMulticall(rpcUrl: string, address: string): Promise<void> {
  const file = join(import.meta.dirname, '../../node_modules/viem/_esm/constants/contracts.js')
  const [, creation] = /multicall3Bytecode = '(0x[0-9a-f]+)'/.exec(readFileSync(file, 'utf8')) ?? []
  if (!creation) throw new Error('viem has no code of Multicall3')
  await putCode(rpcUrl, address, (await rpc(rpcUrl, 'eth_call', [{ data: creation }, 'latest'])) as Hex)
}
