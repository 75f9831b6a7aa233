import { type Block, type BlockHeader, ProviderError, type Transfer, type Witness, type WitnessedTransfer } from './chain.ts'
import type { Endpoint, Providers } from './providers/providers.ts'

/** What the block readers of all families do alike. */

/** A stale provider answers an old block; the highest of those that answer is the chain's. */
export const highest = (heads: readonly BlockHeader[]): BlockHeader => heads.reduce((best, head) => (head.height > best.height ? head : best))

/**
 * Reads all heights at once and gives the blocks up to the first that could not be read: one that failed does not throw away what
 * came before it.
 * @param read null where no provider has the block: here all are there, so that is a failure too
 * @throws what the first height threw; anything but a ProviderError whatever height threw it
 */
export async function readPrefix(from: number, to: number, read: (height: number) => Promise<Block | null>): Promise<Block[]> {
  const there = async (height: number) => {
    const block = await read(height)
    if (!block) throw new ProviderError(`no provider has block ${height}`)
    return block
  }
  const all = await Promise.allSettled(Array.from({ length: to - from + 1 }, (_, index) => there(from + index)))
  const failed = all.find((each) => each.status === 'rejected')
  const blocks = all.slice(0, failed ? all.indexOf(failed) : all.length).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (failed && (blocks.length === 0 || !(failed.reason instanceof ProviderError))) throw failed.reason
  return blocks
}

/**
 * Asks a provider other than the block's source for the same block.
 * @param read reads the block, whole, at one provider; null where that has none
 * @param isCompared which movements every provider tells alike
 */
export async function witnessBy<E extends Endpoint>(
  providers: Providers<E>,
  block: Pick<BlockHeader, 'id'> & { source: string },
  transfers: readonly WitnessedTransfer[],
  read: (endpoint: E) => Promise<Block | null>,
  isCompared: (transfer: Transfer) => boolean = () => true,
): Promise<Witness> {
  try {
    const found = await providers.ask(read, (name) => name !== block.source)
    if (!found) return 'has it not'
    return found.id === block.id && holds(found, transfers, isCompared) ? 'agrees' : 'disagrees'
  } catch (error) {
    if (error instanceof ProviderError) return 'cannot say'
    throw error
  }
}

/** Whether a block holds these transfers, and no other one of the same asset on their watched sides. */
function holds(block: Block, transfers: readonly WitnessedTransfer[], isCompared: (transfer: Transfer) => boolean): boolean {
  const into = new Set(transfers.filter(({ side = 'to' }) => side !== 'from').map(({ to, contract }) => `${to} ${contract}`))
  const outOf = new Set(transfers.filter(({ side = 'to' }) => side !== 'to').map(({ from, contract }) => `${from} ${contract}`))
  const isWatched = ({ from, to, contract, only }: Transfer) =>
    (only !== 'out' && into.has(`${to} ${contract}`)) || (only !== 'in' && outOf.has(`${from} ${contract}`))
  const theirs = new Set(block.transfers.filter((each) => isWatched(each) && isCompared(each)).map(fingerprint))
  return transfers.filter(isCompared).every((each) => theirs.delete(fingerprint(each))) && theirs.size === 0
}

const fingerprint = ({ txId, movementKey, contract, from, to, amount }: Transfer) => [txId, movementKey, contract, from, to, amount].join(' ')
