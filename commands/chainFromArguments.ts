import { configuredChains } from '../src/chains/configuration.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { ConfigError } from '../src/platform/config.ts'

/**
 * The chain named on the command line.
 * @throws ConfigError with the chains that are configured, or with the mistakes in their variables
 */
export function chainFromArguments(name: string): ConfiguredChain {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find((each) => each.name === name)
  if (chain) return chain
  throw new ConfigError(
    `${name} is not configured: set ${name.toUpperCase()}_RPC_URLS. Configured: ${chains.map((each) => each.name).join(', ') || 'no chain'}`,
  )
}
