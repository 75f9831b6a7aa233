import { configuredChains } from '../src/chains/configuration.ts'
import { type Chain, chainNames, knownChain } from '../src/chains/registry.ts'
import { ConfigError } from '../src/platform/config.ts'
import type { FeeSettings } from '../src/txmgr/fees/feeLimits.ts'

export type LimitedChain = FeeSettings & Chain

/**
 * All chains with the limits of this environment's settings; with the registry's defaults where a chain is
 * not configured here.
 */
export function limitedChains(): LimitedChain[] {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  return chainNames.flatMap((name) => chains.find((each) => each.name === name) ?? knownChain(name) ?? [])
}
