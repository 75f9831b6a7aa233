import { type Block, type BlockReader, ProviderError } from '../src/chains/chain.ts'
import type { Log } from '../src/platform/log.ts'

/** Whose blocks do not fit what was read, while other providers have that. */
export interface Misfit {
  /** Looks into a fork that a block showed. What it throws, as the providers differ, counts against the block's provider. */
  during<T>(block: Pick<Block, 'source'>, lookInto: () => Promise<T>): Promise<T>
  fits(block: Pick<Block, 'source'>): void
}

/** One that is a moment ahead of the others in a fork is right: so long the others may take to follow. */
const patienceMs = 10_000

/** Where the others do not follow, a provider is left alone for a while, so that the chain is read at the others. */
export function createMisfit(
  { reader, chain, log }: { reader: Pick<BlockReader, 'doubt'>; chain: { blockMs: number }; log: Log },
  now: () => number = Date.now,
): Misfit {
  const since = new Map<string, number>()
  const afterMs = Math.max(patienceMs, 3 * chain.blockMs)
  return {
    async during({ source }, lookInto) {
      try {
        return await lookInto()
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        const from = since.get(source) ?? now()
        since.set(source, from)
        if (now() - from >= afterMs) {
          since.delete(source)
          reader.doubt(source)
          log.error({ source, err: error.message }, 'the blocks of a provider do not fit what the others have: it is left alone for a while')
        }
        throw error
      }
    },
    fits: ({ source }) => void since.delete(source),
  }
}
