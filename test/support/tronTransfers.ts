import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type TronDevnet, tronDevnetEnv } from '../devnets/tron.ts'

/** Helpers of the suites of Tron's sending side. */

/** A connection to a devnet as configuration opens it, by these URLs of it. */
export async function openTron(
  devnet: TronDevnet,
  urls: readonly string[] = [devnet.rpcUrl],
  env: Record<string, string> = {},
) {
  const { chains, mistakes } = configuredChains({
    ...tronDevnetEnv(devnet),
    TRON_RPC_URLS: urls.join(','),
    ...env,
  })
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(chain, {
    timeoutMs: 20_000,
    observe,
    log: createLog('test', 'silent'),
  })
  return { chain, ...(await connection.accounts()), close: () => connection.close() }
}

/** A made contract's answer to a call: hex, a revert, or a failure that burns all energy. */
export type MadeAnswer = string | 'revert' | 'invalid'

const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')

/**
 * Code that deploys a contract with these answers by selector; any other call reverts. EVM: it compares the
 * selector with each, and returns the data after its code.
 */
export function madeContract(answers: Record<string, MadeAnswer>): string {
  const entries = Object.entries(answers)
  const bodyBytes = 16
  const first = 6 + 11 * entries.length + 5
  const dispatch = entries.map(
    ([selector], index) => `8063${selector}1461${hex(first + bodyBytes * index, 2)}57`,
  )
  let dataAt = first + bodyBytes * entries.length
  const bodies = entries.map(([, answer]) => {
    if (answer === 'revert') return `5b60006000fd${'00'.repeat(bodyBytes - 6)}`
    if (answer === 'invalid') return `5bfe${'00'.repeat(bodyBytes - 2)}`
    const length = answer.length / 2
    const body = `5b61${hex(length, 2)}61${hex(dataAt, 2)}60003961${hex(length, 2)}6000f3`
    dataAt += length
    return body
  })
  const data = entries.map(([, answer]) => (answer === 'revert' || answer === 'invalid' ? '' : answer))
  const code = `60003560e01c${dispatch.join('')}60006000fd${bodies.join('')}${data.join('')}`
  const length = hex(code.length / 2, 2)
  return `61${length}61000f60003961${length}6000f3${code}`
}
