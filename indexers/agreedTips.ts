import type { ProviderTip } from '../src/chains/chain.ts'
import { createSilence } from '../src/chains/providers/silence.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'

/** How far a chain is by what two of its providers say, or one alone where the others are silent. */
export interface AgreedTips {
  /**
   * What those say that answered.
   * @param reached the newest height that was read here
   */
  hear(tips: readonly ProviderTip[], reached: number): void
  /** No provider was asked for a while: that time does not count as silence. */
  rest(): void
  /** The newest height that two have; null while that is unknown. */
  head(): number | null
  /**
   * The newest height that two call final.
   * @param upTo up to which height what a provider calls final is what was read here; null where it cannot be compared. Is asked of those that
   *   answered last
   */
  finalized(upTo: (tip: ProviderTip) => Promise<number | 'another block' | null>): Promise<number | null>
}

/**
 * One provider could call its newest block final, or invent blocks: so the second highest word counts. Where all
 * others are silent, one goes on alone. One that is far behind and calls another block final than was read is not silent:
 * after a fork the new branch may be the lower one for long.
 */
export function createAgreedTips(
  chain: Pick<ConfiguredChain, 'rpcUrls' | 'horizonUrls' | 'blockMs'>,
  crossCheckMs: number,
  now: () => number = Date.now,
): AgreedTips {
  const silenceOf = () => createSilence(chain.rpcUrls.length + chain.horizonUrls.length, { crossCheckMs, blockMs: chain.blockMs }, now)
  // A provider may tell its head and not what is final, because it takes too few requests for instance.
  const [ofHeads, ofFinality] = [silenceOf(), silenceOf()]
  const known = new Map<string, ProviderTip>()
  /** Up to where each was found to call final what was read here. */
  const words = new Map<string, number>()
  let answered: readonly ProviderTip[] = []
  const agreed = (reported: readonly { source: string; height: number }[], alone: string | null): number | null => {
    const heights = reported.map(({ height }) => height).sort((a, b) => b - a)
    const own = reported.find(({ source }) => source === alone)?.height
    return own === undefined ? (heights[1] ?? null) : Math.max(own, heights[1] ?? own)
  }
  return {
    hear(tips, reached) {
      ofHeads.hear(tips, reached)
      ofFinality.hear(
        tips.filter(({ finalized }) => finalized !== undefined),
        reached,
      )
      answered = tips
      for (const tip of tips) known.set(tip.source, tip)
    },
    rest() {
      ofHeads.rest()
      ofFinality.rest()
    },
    head: () =>
      agreed(
        [...known.values()].map(({ source, head }) => ({ source, height: head })),
        ofHeads.alone(),
      ),
    async finalized(upTo) {
      // Where no node tells, depth stands for it: `finalizedHeight` counts that.
      if ([...known.values()].every(({ finalized }) => finalized === null)) return null
      let isContradicted = false
      await Promise.all(
        answered.map(async (tip) => {
          if (tip.finalized === undefined) return
          const said = await upTo(tip)
          if (said === 'another block') isContradicted = true
          if (typeof said === 'number') words.set(tip.source, said)
          else words.delete(tip.source)
        }),
      )
      return agreed(
        [...words].map(([source, height]) => ({ source, height })),
        isContradicted ? null : ofFinality.alone(),
      )
    },
  }
}
