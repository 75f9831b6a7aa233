import { addressCodec } from '../chains/codecs.ts'
import { assetsOf, type Chain, knownChain } from '../chains/registry.ts'
import type { Db, Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { outboxDone } from '../platform/outbox.ts'
import { type NewEvent, recordEvents } from '../webhooks/recordEvents.ts'
import { movementNews, toldOf } from './movementNews.ts'
import { type MovementRecord, readMovements } from './readMovements.ts'
import { learnTokens, readTokenFacts, type TokenFacts, type TokenReadContext } from './tokenFacts.ts'
import { transactionEvent } from './transactionEvent.ts'
import type { Turns } from './turns.ts'

export interface RecordContext extends TokenReadContext {
  db: Db
  chains: readonly Chain[]
  /** Of the businesses, within this process. */
  turns: Turns
}

/** By chain, then by contract. */
type Facts = ReadonlyMap<string, ReadonlyMap<string, TokenFacts>>

/**
 * Tells what the chain says of movements of monitored addresses, as far as it was not told: events, what was told, and the outbox row in
 * one transaction. Harmless to repeat, in any order.
 * @returns the events that were recorded
 * @throws ProviderError where a token that Cowry does not know cannot be asked about just now
 */
export async function recordMovements(
  ctx: RecordContext,
  job: { businessId: string; detectionIds: readonly string[]; outboxId: string },
): Promise<NewEvent[]> {
  const facts = await factsOf(ctx, await readMovements(ctx.db, job.businessId, job.detectionIds))
  // Jobs of one business wait for each other here, without a connection of the pool.
  const events = await ctx.turns.inTurn(job.businessId, () => record(ctx, job, facts))
  failpoint('monitoring.recorded')
  return events
}

function record(ctx: RecordContext, job: Parameters<typeof recordMovements>[1], facts: Facts): Promise<NewEvent[]> {
  return ctx.db.tx(async (tx) => {
    // One process at a time for each business. The movements themselves are not locked: the indexer must never wait for this.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('monitoring ' || $1, 0))", [job.businessId])
    const recorded = await tell(ctx, tx, job.businessId, await readMovements(tx, job.businessId, job.detectionIds), facts)
    await outboxDone(tx, job.outboxId)
    return recorded
  })
}

async function tell(ctx: RecordContext, tx: Tx, businessId: string, movements: readonly MovementRecord[], facts: Facts): Promise<NewEvent[]> {
  const news = movements.map((movement) => ({ movement, types: movementNews(movement, movement.last) })).filter(({ types }) => types.length > 0)
  if (news.length === 0) return []
  const events = news.flatMap(({ movement, types }) => types.map((type) => eventOf(ctx, type, movement, facts)))
  await recordEvents(tx, businessId, events)
  const told = news.map(({ movement }) => ({ id: movement.detectionId, ...toldOf(movement) }))
  await tx.query(
    `insert into monitored_movements (detection_id, told, generation) select * from unnest($1::uuid[], $2::text[], $3::integer[])
     on conflict (detection_id) do update set told = excluded.told, generation = excluded.generation`,
    [told.map(({ id }) => id), told.map((each) => each.told), told.map(({ generation }) => generation)],
  )
  return events
}

/** What is known of the tokens that the registry does not name; of those that nobody asked about yet, the chain is asked. */
async function factsOf(ctx: RecordContext, movements: readonly MovementRecord[]): Promise<Facts> {
  const facts = new Map<string, Map<string, TokenFacts>>()
  for (const [name, some] of Map.groupBy(movements, ({ chain }) => chain)) {
    const unknown = some.flatMap(({ contract, chain }) => (contract !== null && !assetOf(ctx, chain, contract) ? [contract] : []))
    if (unknown.length === 0) continue
    // A chain that is configured no more cannot be asked: what it had is told without a name.
    if (ctx.chains.some((chain) => chain.name === name)) await learnTokens(ctx, name, unknown)
    facts.set(name, await readTokenFacts(ctx.db, name, unknown))
  }
  return facts
}

function chainOf({ chains }: RecordContext, name: string): Chain {
  const chain = chains.find((each) => each.name === name) ?? knownChain(name)
  if (!chain) throw new Error(`an address is monitored on ${name}, which nobody knows`)
  return chain
}

const assetOf = (ctx: RecordContext, chain: string, contract: string | null) =>
  assetsOf(chainOf(ctx, chain)).find((asset) => asset.contract === contract)

function eventOf(ctx: RecordContext, type: Parameters<typeof transactionEvent>[0], movement: MovementRecord, facts: Facts): NewEvent {
  const { chain: name, address, token, contract, monitoredAddressId, metadata } = movement
  const chain = chainOf(ctx, name)
  const asset = assetOf(ctx, name, contract) ?? (contract === null ? undefined : facts.get(name)?.get(contract))
  const named = { symbol: asset?.symbol ?? token ?? 'UNKNOWN', decimals: asset?.decimals ?? null }
  return transactionEvent(type, chain, addressCodec(chain.family).display(address), { ...movement, ...named }, { monitoredAddressId, metadata })
}
