import { ProviderError } from '../chain.ts'
import type { ChainConnection, ConnectOptions } from '../connection.ts'
import { uniqueNames } from '../providers/names.ts'
import { createProviders, WrongChainError } from '../providers/providers.ts'
import { openRest, type Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { tronBlockReader } from './blockReader.ts'
import type { TronBlock } from './rpcTypes.ts'

export function connect(
  chain: ConfiguredChain,
  { timeoutMs, crossCheckMs, observe, turn }: ConnectOptions,
): ChainConnection {
  const names = uniqueNames(chain.rpcUrls)
  // TronGrid's header; other nodes ignore it (TRON developer docs, "API keys").
  const headers: Record<string, string> = chain.apiKey ? { 'TRON-PRO-API-KEY': chain.apiKey.reveal() } : {}
  const providers = createProviders(
    chain.rpcUrls.map(
      (url, index) => (gate) => openRest(url, timeoutMs, gate, names[index] ?? '', headers, turn),
    ),
    {
      observe,
      identify: (rest) => identify(rest, chain.network),
      silence: { crossCheckMs, blockMs: chain.blockMs },
    },
  )
  return {
    reader: tronBlockReader({ providers }),
    // Tron nodes do not announce blocks.
    listen: async () => {},
    accounts: async () => (await import('./accounts.ts')).openAccounts({ providers, chain }),
    providers: () => providers.states(),
    close: () => providers.close(),
  }
}

/** @throws WrongChainError if the node's genesis block differs */
async function identify(rest: Rest, network: string): Promise<void> {
  const block = (await rest.post('/wallet/getblockbynum', { num: 0 })) as TronBlock | null
  const blockID = block?.blockID
  if (blockID === undefined) throw new ProviderError(`${rest.name} returned no genesis block`)
  if (blockID !== network)
    throw new WrongChainError(`${rest.name} is a node of ${String(blockID).slice(0, 70)}, not of ${network}`)
}
