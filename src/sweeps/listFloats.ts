import { addressCodec } from '../chains/codecs.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { storedFloats } from './floats.ts'

interface FloatView {
  chain: string
  symbol: string
  /** Whole units. */
  balance: string
  lowWater: string
  isLow: boolean
  /** The treasury's; null until its process wrote it. */
  address: string | null
  readAt: string
}

/** What the treasury's addresses held when a worker read it last, by chain and asset. */
export async function listFloats({
  db,
  chains,
}: {
  db: Queryable
  chains: readonly ConfiguredChain[]
}): Promise<FloatView[]> {
  const floats: FloatView[] = []
  for (const { chain: name, token, balance, lowWater, readAt } of await storedFloats(db, chains)) {
    const chain = chains.find((each) => each.name === name)
    const asset = chain && assetsOf(chain).find(({ symbol }) => symbol === token)
    if (!chain || !asset) continue
    const address = await treasuryAddress(db, chain.family)
    floats.push({
      chain: name,
      symbol: token,
      balance: formatUnits(balance, asset.decimals),
      lowWater: formatUnits(lowWater, asset.decimals),
      isLow: balance < lowWater,
      address: address && addressCodec(chain.family).display(address),
      readAt: readAt.toISOString(),
    })
  }
  return floats
}
