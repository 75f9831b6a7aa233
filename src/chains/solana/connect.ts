import type { ChainConnection, ConnectOptions } from '../connection.ts'
import { listenForHeads } from '../providers/heads.ts'
import { type JsonRpc, openJsonRpc, parsing } from '../providers/jsonRpc.ts'
import { uniqueNames } from '../providers/names.ts'
import { createProviders, WrongChainError } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { solanaBlockReader } from './read/blockReader.ts'
import { newSlots } from './read/heads.ts'

export function connect(
  chain: ConfiguredChain,
  { timeoutMs, crossCheckMs, readBytes = true, observe, log, turn, threads }: ConnectOptions,
): ChainConnection {
  const names = uniqueNames(chain.rpcUrls)
  const providers = createProviders(
    chain.rpcUrls.map((url, index) => (gate) => {
      const rpc = openJsonRpc(url, timeoutMs, gate, names[index], turn)
      return readBytes ? rpc : parsing(rpc)
    }),
    {
      observe,
      identify: (rpc) => identify(rpc, chain.network),
      silence: { crossCheckMs, blockMs: chain.blockMs },
    },
  )
  return {
    reader: solanaBlockReader({
      providers,
      withoutLight: new Set(),
      threads,
      notUnderstood: (provider) => observe.notUnderstood?.(provider),
    }),
    listen: (onHead, signal) => listenForHeads(newSlots, chain.wsUrls, onHead, log, signal),
    accounts: async () => (await import('./accounts.ts')).openAccounts({ providers, chain }),
    providers: () => providers.states(),
    close: () => providers.close(),
  }
}

/** @throws WrongChainError if the node's genesis hash differs */
async function identify(rpc: JsonRpc, network: string): Promise<void> {
  const genesis = await rpc.call('getGenesisHash', [])
  if (genesis !== network)
    throw new WrongChainError(`${rpc.name} is a node of ${String(genesis).slice(0, 50)}, not of ${network}`)
}
