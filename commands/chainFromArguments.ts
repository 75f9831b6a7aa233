import { configuredChains } from '../src/chains/configuration.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { ConfigError } from '../src/platform/config.ts'

/**
 * The chain named on the command line.
 * @throws ConfigError with the usage, or with the mistakes in the chains' variables
 */
export function chainFromArguments(name: string, usage: string): ConfiguredChain {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find((each) => each.name === name)
  if (chain) return chain
  throw new ConfigError(
    `${usage}, where <CHAIN>_RPC_URLS is set. Configured: ${chains.map((each) => each.name).join(', ') || 'no chain'}`,
  )
}
