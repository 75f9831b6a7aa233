import type { ConfiguredChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { storedFloats } from './floats.ts'

export interface LowGas {
  chain: string
  symbol: string
  /** Whole units. */
  balance: string
  lowWater: string
}

/** Where the treasury has too little to pay for transactions. */
export async function readLowGas(db: Queryable, chains: readonly ConfiguredChain[]): Promise<LowGas[]> {
  const floats = await storedFloats(db, chains)
  return floats.flatMap(({ chain: name, token, balance, lowWater }) => {
    const native = chains.find((each) => each.name === name)?.native
    if (native?.symbol !== token || balance >= lowWater) return []
    const { symbol, decimals } = native
    return [
      {
        chain: name,
        symbol,
        balance: formatUnits(balance, decimals),
        lowWater: formatUnits(lowWater, decimals),
      },
    ]
  })
}
