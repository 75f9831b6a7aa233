import { type BlockReader, ProviderError } from '../src/chains/chain.ts'

/** A provider that still has a block that was committed here, or null: where there is one, a fork is one provider's word against another's. */
export async function keeperOf(reader: Pick<BlockReader, 'tips' | 'header'>, { height, id }: { height: number; id: string }): Promise<string | null> {
  const has = async (source: string) => {
    try {
      return (await reader.header(height, source))?.id === id
    } catch (error) {
      if (error instanceof ProviderError) return false
      throw error
    }
  }
  const sources = (await reader.tips()).map(({ source }) => source)
  const kept = await Promise.all(sources.map(has))
  return sources.find((_, index) => kept[index]) ?? null
}
