import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import { createSilence, type Silence } from '../src/chains/providers/silence.ts'
import { orUndefined } from '../src/chains/reading.ts'

export interface BlockCheckContext {
  reader: Pick<BlockReader, 'tips' | 'header' | 'sources'>
  chain: { blockMs: number }
  /** How long to wait for a provider that does not answer; 30 s by default. */
  crossCheckMs?: number
}

/** Silent providers, by reader. */
const silences = new WeakMap<object, Silence>()

/**
 * A provider that still has a block committed here, or null. If there is one, the providers contradict each
 * other about the fork. Each is read by name; silent and stalled ones do not count.
 * @throws ProviderError while no provider has the block and one cannot answer
 */
export async function providerWithBlock(
  { reader, chain, crossCheckMs }: BlockCheckContext,
  { height, id }: { height: number; id: string },
): Promise<string | null> {
  const silence =
    silences.get(reader) ?? createSilence(reader.sources.length, { crossCheckMs, blockMs: chain.blockMs })
  silences.set(reader, silence)
  silence.hear((await orUndefined(reader.tips())) ?? [])
  const answers = await Promise.all(
    reader.sources.map(async (source) => {
      const header = await orUndefined(reader.header(height, source))
      return { source, has: header === undefined ? null : header?.id === id }
    }),
  )
  const answering = answers.filter(({ source }) => !silence.isSilent(source))
  const holder = answering.find((answer) => answer.has)
  const undecided = answering.find((answer) => answer.has === null)
  if (!holder && undecided)
    throw new ProviderError(`${undecided.source} cannot say whether it has block ${height}`)
  return holder?.source ?? null
}
