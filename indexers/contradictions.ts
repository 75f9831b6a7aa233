import { type Block, type BlockReader, ProviderError } from '../src/chains/chain.ts'
import type { Log } from '../src/platform/telemetry/log.ts'

/** Tracks providers whose blocks contradict the stored chain while other providers have it. */
export interface Contradictions {
  /**
   * Runs `resolveFork` for a fork that a block showed. A ProviderError counts against the block's provider.
   */
  during<T>(block: Pick<Block, 'source'>, resolveFork: () => Promise<T>): Promise<T>
  fits(block: Pick<Block, 'source'>): void
}

/** A provider may be ahead of the others in a real fork; the others may take this long to follow. */
const patienceMs = 10_000

/** If the others do not follow, the provider is avoided for a while and the chain is read from the others. */
export function createContradictions(
  { reader, chain, log }: { reader: Pick<BlockReader, 'doubt'>; chain: { blockMs: number }; log: Log },
  now: () => number = Date.now,
): Contradictions {
  const since = new Map<string, number>()
  const afterMs = Math.max(patienceMs, 3 * chain.blockMs)
  return {
    async during({ source }, resolveFork) {
      try {
        return await resolveFork()
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        const from = since.get(source) ?? now()
        since.set(source, from)
        if (now() - from >= afterMs) {
          since.delete(source)
          reader.doubt(source)
          log.error(
            { source, err: error.message },
            'blocks of a provider contradict what the other providers have: it is avoided for a while',
          )
        }
        throw error
      }
    },
    fits: ({ source }) => void since.delete(source),
  }
}
