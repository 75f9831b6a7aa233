import { hasFixture } from '../test/fixtures/readFixture.ts'
import { replayedChains } from './recordedChain.ts'
import type { Need } from './runBenches.ts'
import { solanaBlock } from './solanaTransactions.ts'

const evmFiles = Object.entries(replayedChains).flatMap(([chain, { blocks }]) =>
  blocks.flatMap((block) => [`${chain}/${block}/block.json`, `${chain}/${block}/receipts.json`]),
)

/** The recorded blocks that the replay nodes answer. */
export const recordedBlocks: Need = {
  check() {
    const missing = [...evmFiles, `solana/block-${solanaBlock}.json`].filter((file) => !hasFixture(file))
    if (missing.length > 0)
      throw new Error(`test/fixtures has no ${missing.join(', ')}; check the repository out again`)
  },
}
