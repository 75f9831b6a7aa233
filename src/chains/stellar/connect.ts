import type { ChainConnection, ConnectOptions } from '../connection.ts'
import { openJsonRpc } from '../providers/jsonRpc.ts'
import { uniqueNames } from '../providers/names.ts'
import { createProviders, type Gate, WrongChainError } from '../providers/providers.ts'
import { openRest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { stellarBlockReader } from './blockReader.ts'
import { horizonSource } from './horizonSource.ts'
import type { LedgerSource } from './ledger.ts'
import { rpcSource } from './rpcSource.ts'

export function connect(
  chain: ConfiguredChain,
  { timeoutMs, crossCheckMs, observe, turn }: ConnectOptions,
): ChainConnection {
  const { rpcUrls, horizonUrls, network } = chain
  const names = uniqueNames([...rpcUrls, ...horizonUrls])
  const providers = createProviders(
    [
      ...rpcUrls.map(
        (url, index) => (gate: Gate) => rpcSource(openJsonRpc(url, timeoutMs, gate, names[index], turn)),
      ),
      // Horizon is the lower preference, for ledgers that RPC no longer keeps.
      ...horizonUrls.map(
        (url, index) => (gate: Gate) =>
          horizonSource(openRest(url, timeoutMs, gate, names[rpcUrls.length + index] ?? '', {}, turn)),
      ),
    ],
    {
      observe,
      identify: (source) => identify(source, network),
      silence: { crossCheckMs, blockMs: chain.blockMs },
    },
  )
  // Balances and transfers need RPC methods that a `LedgerSource` does not have.
  const rpcs = createProviders(
    rpcUrls.map((url, index) => (gate: Gate) => openJsonRpc(url, timeoutMs, gate, names[index])),
    {
      observe,
      identify: (rpc) => identify(rpcSource(rpc), network),
      silence: { crossCheckMs, blockMs: chain.blockMs },
    },
  )
  return {
    reader: stellarBlockReader({ providers, rules: chain }),
    // Ledgers close every few seconds: polling is enough.
    listen: async () => {},
    accounts: async () => (await import('./accounts.ts')).openAccounts({ providers: rpcs, chain }),
    providers: () => providers.states(),
    close: async () => void (await Promise.all([providers.close(), rpcs.close()])),
  }
}

/** @throws WrongChainError if the source is of another network */
async function identify(source: LedgerSource, network: string): Promise<void> {
  const answered = await source.network()
  if (answered !== network)
    throw new WrongChainError(
      `${source.name} is of the network "${answered.slice(0, 100)}", not of "${network}"`,
    )
}
