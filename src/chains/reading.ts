import {
  type Block,
  type BlockHeader,
  type CheckedTransfer,
  type CrossCheck,
  ProviderError,
  type Transfer,
  UnreadableBlockError,
} from './chain.ts'
import { highestHead } from './providers/highestHead.ts'
import type { Endpoint, LateAnswers, Providers } from './providers/providers.ts'

/** Common to the block readers of all families. */

/**
 * Reads the newest block from all nodes. Stale ones return old blocks, and one may invent a head: see
 * `highestHead`.
 */
export async function headBy<E extends Endpoint>(
  providers: Providers<E>,
  newest: (endpoint: E) => Promise<BlockHeader>,
  late: LateAnswers<BlockHeader & { source: string }>,
): Promise<BlockHeader> {
  const { source: _, ...head } = highestHead(
    providers,
    await providers.askAll(
      async (endpoint) => ({ ...(await newest(endpoint)), source: endpoint.name }),
      late,
    ),
  )
  return head
}

/** @returns undefined on a ProviderError, so that a provider's other answers still count */
export const orUndefined = <T>(said: Promise<T>): Promise<T | undefined> =>
  said.catch((error: unknown) => {
    if (error instanceof ProviderError) return undefined
    throw error
  })

/** A filter for one provider, or for all. */
export const onlyBy = (source: string | undefined) =>
  source === undefined ? undefined : (name: string) => name === source

/** Reads what is at a height. @throws ProviderError that names the height */
export async function atBlock<T>(height: number, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ProviderError) || error.message.includes(String(height))) throw error
    const message = `block ${height}: ${error.message}`
    throw error instanceof UnreadableBlockError
      ? new UnreadableBlockError(message, { cause: error })
      : new ProviderError(message, { cause: error })
  }
}

/**
 * Reads all heights at once and returns the blocks before the first that failed.
 * @param read null if no provider has the block: an error here, since the caller requests existing blocks
 * @throws the error of the first height; any error that is not a ProviderError, of any height
 */
export async function readPrefix(
  from: number,
  to: number,
  read: (height: number) => Promise<Block | null>,
): Promise<Block[]> {
  const there = async (height: number) => {
    const block = await read(height)
    if (!block) throw new ProviderError(`no provider has block ${height}`)
    return block
  }
  const all = await Promise.allSettled(
    Array.from({ length: to - from + 1 }, (_, index) => there(from + index)),
  )
  const failed = all.find((each) => each.status === 'rejected')
  const blocks = all
    .slice(0, failed ? all.indexOf(failed) : all.length)
    .flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (failed && (blocks.length === 0 || !(failed.reason instanceof ProviderError))) throw failed.reason
  return blocks
}

/**
 * Reads the same block from the providers other than its source, one after the other until all
 * transfers are found. A provider that cannot report a kind of transfer does not deny it; if no provider can,
 * it is accepted.
 * @param read reads the whole block at one provider; null if the provider lacks it
 * @param isCompared true if the provider reports the transfer the same way as others; null if it could not
 * this time
 */
export async function crossCheckBy<E extends Endpoint>(
  providers: Providers<E>,
  block: Pick<BlockHeader, 'id'> & { source: string },
  transfers: readonly CheckedTransfer[],
  read: (endpoint: E) => Promise<Block | null>,
  isCompared: (transfer: Transfer, source: string) => boolean | null = () => true,
): Promise<CrossCheck> {
  const [found, denied, unsure] = [
    new Set<CheckedTransfer>(),
    new Set<CheckedTransfer>(),
    new Set<CheckedTransfer>(),
  ]
  const heard = new Set<string>()
  let [isThere, isSame] = [false, false]
  const hear = async (endpoint: E): Promise<true | null> => {
    const theirs = await read(endpoint)
    heard.add(endpoint.name)
    if (!theirs) return null
    isThere = true
    if (theirs.id !== block.id) return null
    isSame = true
    const held = new Set(
      heldIn(theirs, transfers, (transfer) => isCompared(transfer, endpoint.name) === true),
    )
    for (const each of transfers) {
      const compared = isCompared(each, endpoint.name)
      if (!held.has(each)) denied.add(each)
      else if (compared) found.add(each)
      else if (compared === null) unsure.add(each)
    }
    return found.size === transfers.length || null
  }
  try {
    if (await providers.ask(hear, (name) => name !== block.source))
      return { said: 'agrees', found: transfers }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { said: 'cannot say', found: [] }
  }
  // A provider without an answer, or one that rests after failures, might know of transfers that the others
  // cannot report.
  const isMissing = providers.names.some((name) => name !== block.source && !heard.has(name))
  const held = transfers.filter(
    (each) => found.has(each) || (isSame && !isMissing && !denied.has(each) && !unsure.has(each)),
  )
  if (held.length === transfers.length) return { said: 'agrees', found: transfers }
  if (!isThere) return { said: 'has it not', found: held }
  const isDenied = !isSame || transfers.some((each) => denied.has(each) && !found.has(each))
  return { said: isDenied ? 'disagrees' : 'cannot say', found: held }
}

/**
 * The transfers that a block holds. All movements of a watched address in one asset are compared as a group:
 * if the block has an extra one, the whole group is wrong. A transfer watched on both sides must be right on
 * both.
 */
function heldIn(
  block: Block,
  transfers: readonly CheckedTransfer[],
  isCompared: (transfer: Transfer) => boolean,
): CheckedTransfer[] {
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
      const extra = new Map(theirs.get(key)?.map((each) => [fingerprint(each), each]))
      const missing = group.filter((each) => isCompared(each) && !extra.delete(fingerprint(each)))
      // An extra movement may be one of these, reported differently. UnprovenError ones may have failed: ignore
      // them.
      const hasExtra = [...extra.values()].some(({ unproven }) => !unproven)
      for (const each of hasExtra ? group : missing) wrong.add(each)
    }
  }
  return transfers.filter((each) => !wrong.has(each))
}

const fingerprint = ({ txId, movementKey, contract, from, to, amount }: Transfer) =>
  [txId, movementKey, contract, from, to, amount].join(' ')
