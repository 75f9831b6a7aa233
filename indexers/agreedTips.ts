import type { ProviderTip } from '../src/chains/chain.ts'
import { createSilence } from '../src/chains/providers/silence.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'

/**
 * Head and finality of a chain on which two providers agree, or of one provider while the others are silent.
 */
export interface AgreedTips {
  /**
   * Takes the answers of one round.
   * @param reached the newest height that was read here
   */
  report(tips: readonly ProviderTip[], reached: number): void
  /** No provider was read for a while: that time does not count as silence. */
  rest(): void
  /** The newest height that two providers have; null while unknown. */
  head(): number | null
  /** The newest height that two providers call final. */
  finalized(compare: BranchComparison): Promise<number | null>
}

export type BlockId = { height: number; id: string }

/** Comparisons of the providers' chains with the one read here. */
export interface BranchComparison {
  /**
   * The last block that a provider's final chain shares with ours; null if it cannot be compared. Called for
   * the providers that answered last.
   */
  upTo(tip: ProviderTip): Promise<BlockId | 'another block' | null>
  /**
   * Whether a provider's newest block is on our chain; null if it cannot be compared. Called for the others
   * where one provider would go on alone.
   */
  isOnOurBranch(tip: ProviderTip): Promise<boolean | null>
  /** Whether a block of an earlier comparison is still on our chain: a fork may have been resolved since. */
  isOurs(block: BlockId): Promise<boolean>
}

/**
 * Uses the second highest answer: one provider could call its newest block final, or invent blocks. One
 * provider is enough while all others are silent. A provider that lags is not silent if its newest block, or
 * the block that it calls final, is another one than was read here: after a fork, the new branch may stay the
 * lower one for long.
 */
export function createAgreedTips(
  chain: Pick<ConfiguredChain, 'rpcUrls' | 'horizonUrls' | 'blockMs'>,
  crossCheckMs: number,
  now: () => number = Date.now,
): AgreedTips {
  const silenceOf = () =>
    createSilence(
      chain.rpcUrls.length + chain.horizonUrls.length,
      { crossCheckMs, blockMs: chain.blockMs },
      now,
    )
  // A provider may report its head but not its finality, for instance under a rate limit.
  const [ofHeads, ofFinality] = [silenceOf(), silenceOf()]
  const known = new Map<string, ProviderTip>()
  /** By provider, the block up to which its final chain equals the one read here. */
  const finalBlocks = new Map<string, BlockId>()
  let answered: readonly ProviderTip[] = []
  const agreed = (
    reported: readonly { source: string; height: number }[],
    alone: string | null,
  ): number | null => {
    const heights = reported.map(({ height }) => height).sort((a, b) => b - a)
    const own = reported.find(({ source }) => source === alone)?.height
    return own === undefined ? (heights[1] ?? null) : Math.max(own, heights[1] ?? own)
  }
  return {
    report(tips, reached) {
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
    async finalized({ upTo, isOnOurBranch, isOurs }) {
      // No node reports finality: `finalizedHeight` uses depth.
      if ([...known.values()].every(({ finalized }) => finalized === null)) return null
      const compared = new Set(
        answered.filter((tip) => tip.finalized !== undefined).map(({ source }) => source),
      )
      for (const [source, block] of finalBlocks)
        if (!compared.has(source) && !(await isOurs(block))) finalBlocks.delete(source)
      let isContradicted = false
      await Promise.all(
        answered.map(async (tip) => {
          if (tip.finalized === undefined) return
          const said = await upTo(tip)
          if (said === 'another block') isContradicted = true
          if (said !== null && said !== 'another block') finalBlocks.set(tip.source, said)
          else finalBlocks.delete(tip.source)
        }),
      )
      const alone = isContradicted ? null : ofFinality.alone()
      const others = alone === null ? [] : answered.filter(({ source }) => source !== alone)
      const isForked = (await Promise.all(others.map(isOnOurBranch))).includes(false)
      return agreed(
        [...finalBlocks].map(([source, { height }]) => ({ source, height })),
        isForked ? null : alone,
      )
    },
  }
}
