import type { Log } from '../platform/log.ts'
import type { AddressCodec, BlockReader, Family, KeyDeriver } from './chain.ts'
import { evmAddress } from './evm/address.ts'
import { evmBlockReader } from './evm/blockReader.ts'
import { listenForHeads } from './evm/heads.ts'
import { openJsonRpc } from './evm/jsonRpc.ts'
import { evmKeyDeriver } from './evm/keyDeriver.ts'
import { createProviders, type ProviderObserver } from './evm/providers.ts'
import type { ConfiguredChain } from './registry.ts'

const noFamily = (family: Family): never => {
  throw new Error(`this version does not know the ${family} family`)
}

export function addressCodec(family: Family): AddressCodec {
  return family === 'evm' ? evmAddress : noFamily(family)
}

export function keyDeriver(family: Family): KeyDeriver {
  return family === 'evm' ? evmKeyDeriver : noFamily(family)
}

/** The families that deposit addresses are derived for. */
export const depositFamilies: readonly Family[] = ['evm']

export interface ChainConnection {
  reader: BlockReader
  /** Calls `onHead` when the chain says that there is a new block; ends with `signal`. */
  listen(onHead: () => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens the nodes of a chain for reading. */
export function connectChain(chain: ConfiguredChain, options: { timeoutMs: number; observe: ProviderObserver; log: Log }): ChainConnection {
  if (chain.family !== 'evm') return noFamily(chain.family)
  const providers = createProviders(
    chain.rpcUrls.map((url) => openJsonRpc(url, options.timeoutMs)),
    options.observe,
  )
  return {
    reader: evmBlockReader(providers),
    listen: (onHead, signal) => listenForHeads(chain.wsUrls, onHead, options.log, signal),
    close: () => providers.close(),
  }
}
