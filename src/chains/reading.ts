import { type Block, type BlockHeader, type CheckedTransfer, type CrossCheck, ProviderError, type Transfer } from './chain.ts'
import type { Endpoint, Providers } from './providers/providers.ts'

/** What the block readers of all families do alike. */

/** A stale provider answers an old block; the highest of those that answer is the chain's. */
export const highest = (heads: readonly BlockHeader[]): BlockHeader => heads.reduce((best, head) => (head.height > best.height ? head : best))

/** What a provider says; undefined where it could not say: that takes nothing from what else it says. */
export const orUnsaid = <T>(said: Promise<T>): Promise<T | undefined> =>
  said.catch((error: unknown) => {
    if (error instanceof ProviderError) return undefined
    throw error
  })

/** Which providers are asked: one, or all. */
export const onlyBy = (source: string | undefined) => (source === undefined ? undefined : (name: string) => name === source)

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
 * Asks the providers other than the block's source for the same block, one after the other until each transfer was found. One that a provider
 * cannot be asked about it does not deny; where none of them can, it is believed.
 * @param read reads the block, whole, at one provider; null where that has none
 * @param isCompared which movements a provider tells as every other one does; null where it could not say this time
 */
export async function crossCheckBy<E extends Endpoint>(
  providers: Providers<E>,
  block: Pick<BlockHeader, 'id'> & { source: string },
  transfers: readonly CheckedTransfer[],
  read: (endpoint: E) => Promise<Block | null>,
  isCompared: (transfer: Transfer, source: string) => boolean | null = () => true,
): Promise<CrossCheck> {
  const [found, denied, unsure] = [new Set<CheckedTransfer>(), new Set<CheckedTransfer>(), new Set<CheckedTransfer>()]
  const heard = new Set<string>()
  let [isThere, isSame] = [false, false]
  const hear = async (endpoint: E): Promise<true | null> => {
    const theirs = await read(endpoint)
    heard.add(endpoint.name)
    if (!theirs) return null
    isThere = true
    if (theirs.id !== block.id) return null
    isSame = true
    const held = new Set(heldBy(theirs, transfers, (transfer) => isCompared(transfer, endpoint.name) === true))
    for (const each of transfers) {
      const compared = isCompared(each, endpoint.name)
      if (!held.has(each)) denied.add(each)
      else if (compared) found.add(each)
      else if (compared === null) unsure.add(each)
    }
    return found.size === transfers.length || null
  }
  try {
    if (await providers.ask(hear, (name) => name !== block.source)) return { said: 'agrees', found: transfers }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { said: 'cannot say', found: [] }
  }
  // One that gave no answer, or is not asked for now because it failed, might have said more of what no other one can be asked about.
  const isMissing = providers.names.some((name) => name !== block.source && !heard.has(name))
  const held = transfers.filter((each) => found.has(each) || (isSame && !isMissing && !denied.has(each) && !unsure.has(each)))
  if (held.length === transfers.length) return { said: 'agrees', found: transfers }
  const isDenied = isThere && (!isSame || transfers.some((each) => denied.has(each) && !found.has(each)))
  return { said: isDenied ? 'disagrees' : isThere ? 'cannot say' : 'has it not', found: held }
}

/**
 * Those of the transfers that a block holds. What one watched address received or sent of one asset is compared as a whole: where the block
 * has anything besides, none of them is held. One that is watched on both sides is held when both are right.
 */
function heldBy(block: Block, transfers: readonly CheckedTransfer[], isCompared: (transfer: Transfer) => boolean): CheckedTransfer[] {
  const wrong = new Set<CheckedTransfer>()
  for (const [side, other] of [
    ['to', 'out'],
    ['from', 'in'],
  ] as const) {
    const keyOf = (each: Transfer) => `${each[side]} ${each.contract}`
    const ours = Map.groupBy(
      transfers.filter(({ side: watched = 'to' }) => watched === side || watched === 'both'),
      keyOf,
    )
    const theirs = Map.groupBy(
      block.transfers.filter((each) => each.only !== other && ours.has(keyOf(each)) && isCompared(each)),
      keyOf,
    )
    for (const [key, group] of ours) {
      const told = new Map(theirs.get(key)?.map((each) => [fingerprint(each), each]))
      const missing = group.filter((each) => isCompared(each) && !told.delete(fingerprint(each)))
      // What it has besides may be one of these, told otherwise. What it leaves open it may not have at all.
      const besides = [...told.values()].some(({ unproven }) => !unproven)
      for (const each of besides ? group : missing) wrong.add(each)
    }
  }
  return transfers.filter((each) => !wrong.has(each))
}

const fingerprint = ({ txId, movementKey, contract, from, to, amount }: Transfer) => [txId, movementKey, contract, from, to, amount].join(' ')
