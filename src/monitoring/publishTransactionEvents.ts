import { addressCodec } from '../chains/codecs.ts'
import { assetsOf, type Chain, knownChain } from '../chains/registry.ts'
import { type NewEvent, recordEvents } from '../events/recordEvents.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { OneByOne } from '../platform/database/oneByOne.ts'
import { outboxDone } from '../platform/database/outbox.ts'
import { pgArray } from '../platform/database/pgArrays.ts'
import { prepared } from '../platform/database/prepared.ts'
import { BaseError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { detectionEvents, publishedStateOf } from './detectionEvents.ts'
import { type DetectionRecord, readDetections } from './readDetections.ts'
import { learnTokens, readTokenFacts, type TokenFacts, type TokenReadContext } from './tokenFacts.ts'
import { transactionEvent } from './transactionEvent.ts'

export interface RecordContext extends TokenReadContext {
  db: Db
  chains: readonly Chain[]
  /** Serialises the jobs of one business within this process. */
  oneByOne: OneByOne
}

/** By chain, then by contract. */
type Facts = ReadonlyMap<string, ReadonlyMap<string, TokenFacts>>

/**
 * Publishes what is new about detections of monitored addresses: events, published states and the outbox row
 * in one transaction. Harmless to repeat, in any order.
 * @returns the recorded events
 * @throws ProviderError if the facts of an unknown token cannot be read right now
 */
export async function publishTransactionEvents(
  ctx: RecordContext,
  job: { businessId: string; detectionIds: readonly string[]; unknownTokens?: boolean; outboxId: string },
): Promise<NewEvent[]> {
  const learn = async () => factsOf(ctx, await readDetections(ctx.db, job.businessId, job.detectionIds))
  // Jobs of one business wait here, without holding a database connection.
  const once = (facts: Facts) => ctx.oneByOne(job.businessId, () => record(ctx, job, facts))
  // The indexer knew all tokens: usually this process does too, and then the detections are read once.
  const events =
    job.unknownTokens === false
      ? await once(new Map()).catch(async (error) => once(await learnAfter(error, learn)))
      : await once(await learn())
  failpoint('monitoring.recorded')
  return events
}

/** Something in the transaction needs facts that were not read before it. */
class UnknownTokenError extends BaseError {
  readonly code = 'unknown_token'
  readonly retry = 'yes'
}

async function learnAfter(error: unknown, learn: () => Promise<Facts>): Promise<Facts> {
  if (!(error instanceof UnknownTokenError)) throw error
  return learn()
}

const lockBusiness = prepared("select pg_advisory_xact_lock(hashtextextended('monitoring ' || $1, 0))")
const storeStates = prepared(
  `insert into monitored_movements (detection_id, told, generation) select * from unnest($1::uuid[], $2::text[], $3::integer[])
   on conflict (detection_id) do update set told = excluded.told, generation = excluded.generation`,
)

/** Two messages to Postgres: what is read under the lock, and all that is stored, with the commit. */
function record(
  ctx: RecordContext,
  job: Parameters<typeof publishTransactionEvents>[1],
  facts: Facts,
): Promise<NewEvent[]> {
  return ctx.db.tx(async (tx) => {
    // One process at a time per business. The detections are not locked: the indexer must never wait for
    // this.
    tx.send(lockBusiness, [job.businessId])
    const events = publish(
      ctx,
      tx,
      job.businessId,
      await readDetections(tx, job.businessId, job.detectionIds),
      facts,
    )
    await outboxDone(tx, job.outboxId)
    return events
  })
}

function publish(
  ctx: RecordContext,
  tx: Tx,
  businessId: string,
  detections: readonly DetectionRecord[],
  facts: Facts,
): NewEvent[] {
  const changes = detections
    .map((detection) => ({ detection, types: detectionEvents(detection, detection.last) }))
    .filter(({ types }) => types.length > 0)
  if (changes.length === 0) return []
  const events = changes.flatMap(({ detection, types }) =>
    types.map((type) => eventOf(ctx, type, detection, facts)),
  )
  recordEvents(tx, businessId, events)
  const states = changes.map(({ detection }) => ({
    id: detection.detectionId,
    ...publishedStateOf(detection),
  }))
  tx.send(storeStates, [
    pgArray(states.map(({ id }) => id)),
    pgArray(states.map((each) => each.published)),
    pgArray(states.map(({ generation }) => generation)),
  ])
  return events
}

/** Facts of tokens that the registry does not name; those not stored yet are read from the chain. */
async function factsOf(ctx: RecordContext, detections: readonly DetectionRecord[]): Promise<Facts> {
  const facts = new Map<string, Map<string, TokenFacts>>()
  for (const [name, some] of Map.groupBy(detections, ({ chain }) => chain)) {
    const unknown = some.flatMap(({ contract, chain }) =>
      contract !== null && !assetOf(ctx, chain, contract) ? [contract] : [],
    )
    if (unknown.length === 0) continue
    // A chain that is no longer configured cannot be read: its tokens get no name.
    if (ctx.chains.some((chain) => chain.name === name)) await learnTokens(ctx, name, unknown)
    facts.set(name, await readTokenFacts(ctx.db, name, unknown))
  }
  return facts
}

function chainOf({ chains }: RecordContext, name: string): Chain {
  const chain = chains.find((each) => each.name === name) ?? knownChain(name)
  if (!chain) throw new Error(`an address is monitored on ${name}, an unknown chain`)
  return chain
}

const assetOf = (ctx: RecordContext, chain: string, contract: string | null) =>
  assetsOf(chainOf(ctx, chain)).find((asset) => asset.contract === contract)

function eventOf(
  ctx: RecordContext,
  type: Parameters<typeof transactionEvent>[0],
  detection: DetectionRecord,
  facts: Facts,
): NewEvent {
  const { chain: name, address, token, contract, monitoredAddressId, metadata } = detection
  const chain = chainOf(ctx, name)
  const known = assetOf(ctx, name, contract)
  if (!known && contract !== null && !facts.has(name))
    throw new UnknownTokenError(`the facts of ${contract} on ${name} were not read`)
  const asset = known ?? (contract === null ? undefined : facts.get(name)?.get(contract))
  const named = { symbol: asset?.symbol ?? token ?? 'UNKNOWN', decimals: asset?.decimals ?? null }
  return transactionEvent(
    type,
    chain,
    addressCodec(chain.family).display(address),
    { ...detection, ...named },
    { monitoredAddressId, metadata },
  )
}
