import type { PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import { isDatabaseAway } from '../platform/database/databaseAway.ts'
import type { Tx } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { changeByAnswer } from './changeByAnswer.ts'
import { type Collection, readCollections } from './collection.ts'
import type { CollectionsContext } from './context.ts'
import { moveCollections } from './moveCollection.ts'

/** The partner's report of our collection with this id. */
export interface CollectionAnswer {
  id: string
  answer: PartnerCollection
}

/**
 * Stores the partner's report of a collection. Reports may come twice, late, and in any order: an older one
 * changes nothing. One about another collection is refused.
 * @param askedAt when the request started
 * @param also runs in the same transaction
 * @returns the collection as it is then; null if it is gone
 */
export async function applyAnswer(
  ctx: CollectionsContext,
  id: string,
  answer: PartnerCollection,
  askedAt: Date,
  also: (tx: Tx, result: Collection) => Promise<void> = async () => {},
): Promise<Collection | null> {
  const [after] = await applyTogether(ctx, [{ id, answer }], askedAt, also)
  return after ?? null
}

/**
 * Stores answers of one question in few transactions, in their order. One that cannot be stored delays no
 * other: the rest is then stored one by one.
 * @returns the ids of those that could not be stored
 */
export async function applyAnswers(
  ctx: CollectionsContext,
  answers: readonly CollectionAnswer[],
  askedAt: Date,
): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const batch of batchesOf(answers)) {
    try {
      await applyTogether(ctx, batch, askedAt)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      for (const each of batch) if (!(await applyAlone(ctx, each, askedAt))) failed.add(each.id)
    }
  }
  return failed
}

async function applyAlone(ctx: CollectionsContext, each: CollectionAnswer, askedAt: Date): Promise<boolean> {
  try {
    await applyTogether(ctx, [each], askedAt)
    return true
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    ctx.log.error(
      { collection: each.id, err: messageOf(error) },
      'a report of the partner about a collection could not be stored',
    )
    return false
  }
}

/** No batch names a collection twice: the second answer is about what the first one has made of it. */
function batchesOf(answers: readonly CollectionAnswer[]): CollectionAnswer[][] {
  const batches: Map<string, CollectionAnswer>[] = []
  for (const each of answers) {
    const free = batches.find((batch) => !batch.has(each.id))
    if (free) free.set(each.id, each)
    else batches.push(new Map([[each.id, each]]))
  }
  return batches.map((batch) => [...batch.values()])
}

/** All reports come this way, of one collection or of a list. Rows are locked in one order. */
async function applyTogether(
  ctx: CollectionsContext,
  answers: readonly CollectionAnswer[],
  askedAt: Date,
  also: (tx: Tx, result: Collection) => Promise<void> = async () => {},
): Promise<Collection[]> {
  const { after, findings } = await ctx.db.tx(async (tx) => {
    const locked = await readCollections(tx, 'id = any($1::uuid[]) order by id for update', [
      answers.map(({ id }) => id),
    ])
    const rows = new Map(locked.map((row) => [row.id, row]))
    const effects = answers.flatMap(({ id, answer }) => {
      const before = rows.get(id)
      return before ? [{ before, ...changeByAnswer(before, answer, askedAt) }] : []
    })
    const moved = await moveCollections(tx, effects)
    for (const each of moved) await also(tx, each)
    return { after: moved, findings: effects.flatMap(({ finding }) => finding ?? []) }
  })
  for (const { alarm, about, message } of findings) {
    ctx.alarm(alarm)
    ctx.log.error(about, message)
  }
  return after
}
