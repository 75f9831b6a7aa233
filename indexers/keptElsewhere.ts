import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import { createSilence, type Silence } from '../src/chains/providers/silence.ts'
import { orUndefined } from '../src/chains/reading.ts'

export interface KeeperContext {
  reader: Pick<BlockReader, 'tips' | 'header' | 'sources'>
  chain: { blockMs: number }
  /** How long a provider that gives no answer is waited for; 30 s by default. */
  crossCheckMs?: number
}

/** Who says nothing when forks are looked into. */
const silences = new WeakMap<object, Silence>()

/**
 * A provider that still has a block that was committed here, or null: where there is one, a fork is one provider's word against another's. Each is
 * asked by name; one that is silent, or stands still, does not count.
 * @throws ProviderError while none has it and one of them cannot say
 */
export async function keeperOf(
  { reader, chain, crossCheckMs }: KeeperContext,
  { height, id }: { height: number; id: string },
): Promise<string | null> {
  const silence = silences.get(reader) ?? createSilence(reader.sources.length, { crossCheckMs, blockMs: chain.blockMs })
  silences.set(reader, silence)
  silence.hear((await orUndefined(reader.tips())) ?? [])
  const words = await Promise.all(
    reader.sources.map(async (source) => {
      const header = await orUndefined(reader.header(height, source))
      return { source, has: header === undefined ? null : header?.id === id }
    }),
  )
  const speaking = words.filter(({ source }) => !silence.isSilent(source))
  const keeper = speaking.find((word) => word.has)
  const unsaid = speaking.find((word) => word.has === null)
  if (!keeper && unsaid) throw new ProviderError(`${unsaid.source} cannot say whether it has block ${height}`)
  return keeper?.source ?? null
}
