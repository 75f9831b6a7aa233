import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { proofOf } from './headerHash.ts'
import type { EvmReaderContext } from './readerContext.ts'

/**
 * Whether to accept a header that cannot be proven; false: not yet. @throws ProviderError where another
 * provider contradicts it
 */
export type CrossCheckHeader = (rpc: JsonRpc, header: RpcHeader) => Promise<boolean>

/** The fields that are read, or that prove the rest of the block. */
const comparedFields = [
  'parentHash',
  'number',
  'timestamp',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
] as const

const defaultCrossCheckMs = 30_000

/** The other providers' answer about a header. */
type Comparison = 'same' | 'different' | 'unanswered'

/**
 * Cross-checks headers that this version cannot prove: an upgrade of the chain, or a false answer, may have
 * added a field. Another provider must have the same header under the same hash. While no provider answers,
 * the block waits for `crossCheckMs`. After that, and where there is only one provider, the header is
 * accepted.
 */
export function createHeaderCrossCheck({
  providers,
  crossCheckMs = defaultCrossCheckMs,
}: Pick<EvmReaderContext, 'providers' | 'crossCheckMs'>): CrossCheckHeader {
  let waitingSince: number | null = null

  async function askOthers(rpc: JsonRpc, header: RpcHeader): Promise<Comparison> {
    let result: Comparison = 'unanswered'
    const compare = async (other: JsonRpc): Promise<Comparison | null> => {
      const theirs = (await other.call('eth_getBlockByHash', [header.hash, false])) as RpcHeader | null
      if (!theirs) return null
      const proof = sound(() => proofOf(theirs))
      if (theirs.hash !== header.hash || proof === 'mismatch')
        throw new ProviderError(`${other.name}: header does not match its hash ${header.hash}`)
      if (comparedFields.every((name) => theirs[name] === header[name])) return 'same'
      result = 'different'
      // A proven header settles it. Otherwise one of the two is wrong: read from a third provider.
      return proof === 'match' ? result : null
    }
    try {
      return (await providers.ask(compare, (name) => name !== rpc.name)) ?? result
    } catch (error) {
      if (error instanceof ProviderError) return result
      throw error
    }
  }

  return async (rpc, header) => {
    if (providers.names.length === 1) return true
    const result = await askOthers(rpc, header)
    if (result === 'unanswered') {
      waitingSince ??= Date.now()
      return Date.now() - waitingSince >= crossCheckMs
    }
    waitingSince = null
    if (result === 'different')
      throw new ProviderError(
        `block ${Number(header.number)}: header cannot be proven, and another provider has a different one`,
      )
    return true
  }
}
