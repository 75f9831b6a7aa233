import { configuredChains } from '../../../../src/chains/configuration.ts'
import type { ConfiguredChain } from '../../../../src/chains/registry.ts'

/** One chain as configured by its variables. Its node's URL is never used. */
export function configuredOne(prefix: string, env: Record<string, string> = {}): ConfiguredChain {
  const { chains, mistakes } = configuredChains({ [`${prefix}_RPC_URLS`]: 'http://127.0.0.1:1', ...env })
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join() || `no ${prefix}`)
  return chain
}
