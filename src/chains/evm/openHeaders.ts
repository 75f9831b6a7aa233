import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { proofOf } from './headerHash.ts'
import type { EvmReaderContext } from './readerContext.ts'
import type { RpcHeader } from './rpcTypes.ts'

/** Whether a header that cannot be proven is believed; false: not yet. @throws ProviderError where another provider contradicts it */
export type CrossCheckHeader = (rpc: JsonRpc, header: RpcHeader) => Promise<boolean>

/** What is read of a header, and what proves the rest of the block. */
const used = ['parentHash', 'number', 'timestamp', 'transactionsRoot', 'receiptsRoot', 'logsBloom'] as const

const defaultCrossCheckMs = 30_000

/** What the other providers say of a header: the same, another one, or nothing. */
type Said = 'same' | 'other' | 'nothing'

/**
 * Cross-checks headers that this version cannot prove: a fork of the chain may have added a field, and a provider that lies may add one,
 * too. Another provider must have the same header under the same hash. While all are silent, the block waits for `witnessMs`; then, and where
 * there is no other provider, the one is believed.
 */
export function createOpenHeaders({
  providers,
  crossCheckMs = defaultCrossCheckMs,
}: Pick<EvmReaderContext, 'providers' | 'crossCheckMs'>): CrossCheckHeader {
  let waitingSince: number | null = null

  async function askOthers(rpc: JsonRpc, header: RpcHeader): Promise<Said> {
    let said: Said = 'nothing'
    const compare = async (other: JsonRpc): Promise<Said | null> => {
      const theirs = (await other.call('eth_getBlockByHash', [header.hash, false])) as RpcHeader | null
      if (!theirs) return null
      const proof = sound(() => proofOf(theirs))
      if (theirs.hash !== header.hash || proof === 'false') throw new ProviderError(`${other.name}: not the header of ${header.hash}`)
      if (used.every((name) => theirs[name] === header[name])) return 'same'
      said = 'other'
      // Theirs is proven: no one has to be asked any more. Otherwise one of the two is wrong, and a third may know.
      return proof === 'fits' ? said : null
    }
    try {
      return (await providers.ask(compare, (name) => name !== rpc.name)) ?? said
    } catch (error) {
      if (error instanceof ProviderError) return said
      throw error
    }
  }

  return async (rpc, header) => {
    if (providers.names.length === 1) return true
    const said = await askOthers(rpc, header)
    if (said === 'nothing') {
      waitingSince ??= Date.now()
      return Date.now() - waitingSince >= crossCheckMs
    }
    waitingSince = null
    if (said === 'other') throw new ProviderError(`block ${Number(header.number)}: its header cannot be proven, and another provider has another one`)
    return true
  }
}
