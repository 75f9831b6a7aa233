import type { Log } from '../platform/log.ts'
import type { AddressCodec, BlockHeader, BlockReader, Family, KeyDeriver } from './chain.ts'
import { evmAddress } from './evm/address.ts'
import { evmBlockReader } from './evm/blockReader.ts'
import { createSurvey } from './evm/capabilities.ts'
import { listenForHeads } from './evm/heads.ts'
import { evmKeyDeriver } from './evm/keyDeriver.ts'
import { openJsonRpc } from './providers/jsonRpc.ts'
import { createProviders, type ProviderObserver, type ProviderState } from './providers/providers.ts'
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

/** The one form of a transaction's id; null where the text is none of the family. */
export function transactionId(family: Family, text: string): string | null {
  if (family !== 'evm') return noFamily(family)
  return /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null
}

/** The families that deposit addresses are derived for. */
export const depositFamilies: readonly Family[] = ['evm']

export interface ChainConnection {
  reader: BlockReader
  /** Calls `onHead` with each new block that the chain tells of; ends with `signal`. */
  listen(onHead: (head: BlockHeader) => void, signal: AbortSignal): Promise<void>
  /** How each provider does now. */
  providers(): ProviderState[]
  close(): Promise<void>
}

/** Opens the nodes of a chain for reading. */
export function connectChain(chain: ConfiguredChain, options: { timeoutMs: number; observe: ProviderObserver; log: Log }): ChainConnection {
  if (chain.family !== 'evm') return noFamily(chain.family)
  const survey = createSurvey(chain, options.log)
  const names = uniqueNames(chain.rpcUrls)
  const providers = createProviders(
    chain.rpcUrls.map((url, index) => (gate) => openJsonRpc(url, options.timeoutMs, gate, names[index])),
    { observe: options.observe, identify: survey.identify },
  )
  return {
    reader: evmBlockReader({ providers, survey, rules: chain }),
    listen: (onHead, signal) => listenForHeads(chain.wsUrls, onHead, options.log, signal),
    providers: () => providers.states(),
    close: () => providers.close(),
  }
}

/** Hosts, numbered where one occurs twice: two keys at one company are two providers. */
function uniqueNames(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).host)
  return hosts.map((host, index) =>
    hosts.indexOf(host) === index ? host : `${host}#${hosts.slice(0, index + 1).filter((each) => each === host).length}`,
  )
}
