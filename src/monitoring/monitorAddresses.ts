import { addressCodec } from '../chains/codecs.ts'
import type { Chain } from '../chains/registry.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
import { importToJoin, startImport } from './imports.ts'
import type { MonitoredTokens } from './models.ts'
import { requireEntries } from './request.ts'
import { type MonitoredAddressView, type MonitoredRow, presentMonitored } from './view.ts'

export interface NewMonitoring {
  chain: Pick<Chain, 'name' | 'family'>
  /** In any form of the chain. */
  addresses: readonly { address: string; metadata?: Record<string, unknown> | null | undefined }[]
  /** `known` unless it says so. */
  tokens?: MonitoredTokens | undefined
  /** Blocks from this height on are read again for them. */
  fromBlock?: number | undefined
  /** The request has one address and no list: what is wrong is named without a place in a list. False unless it says so. */
  single?: boolean | undefined
}

export interface Monitoring {
  /** One for each address of the request, in its order; those that name one address twice have one entry. */
  entries: { view: MonitoredAddressView; created: boolean }[]
  /** What reads the blocks since `fromBlock`; null where nothing is to be read. */
  importId: string | null
}

interface Entry extends MonitoredRow {
  fromHeight: string | number | null
}

interface NewWatch {
  fromHeight: number | null
  policyId: string | null
  importId: string | null
}

/**
 * Monitors addresses from this transaction's commit on. One that is monitored already stays as it is, but for `fromBlock`, which
 * only ever goes back.
 * @param ctx.importBlocks how many blocks back `fromBlock` may lie
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `addresses.N.address`, `addresses.N.metadata` (`address`, `metadata` of a single one) or
 *   `fromBlock`; 409 `chain_not_indexed` where no block was read yet
 */
export async function monitorAddresses(
  ctx: { db: ModelDb; importBlocks: number },
  businessId: string,
  request: NewMonitoring,
  also?: (tx: ModelTx, result: Monitoring) => Promise<void>,
): Promise<Monitoring> {
  const normal = requireEntries(request.chain, request.addresses, request.single ?? false)
  const result = await ctx.db.tx(async (tx) => {
    const [facts] = await tx.query<{ height: string | null; policy: string | null }>(
      'select (select height from chain_cursors where chain = $1) as height, (select finality_policy_id from businesses where id = $2) as policy',
      [request.chain.name, businessId],
    )
    const cursor = facts?.height == null ? null : Number(facts.height)
    const { fromBlock } = request
    if (fromBlock !== undefined) requireReadable(request.chain, fromBlock, cursor, ctx.importBlocks)
    const fromHeight = fromBlock ?? (cursor === null ? null : cursor + 1)
    const importing =
      fromBlock === undefined || cursor === null
        ? null
        : { id: await importToJoin(tx, businessId, request.chain.name), businessId, chain: request.chain.name, from: fromBlock, to: cursor }
    const watch = { fromHeight, policyId: facts?.policy ?? null, importId: importing?.id ?? null }
    const { entries, created } = await store(tx, businessId, request, normal, watch)
    const addresses = importing ? created.size + (await lower(tx, entries, created, importing)) : 0
    if (importing && addresses > 0) await startImport(tx, { ...importing, addresses })
    const monitoring = {
      entries: normal.map((address) => {
        const entry = entries.get(address)
        if (!entry) throw new Error('an address without its entry')
        return { view: presentMonitored(entry, entry.fromHeight), created: created.has(address) }
      }),
      importId: addresses > 0 ? watch.importId : null,
    }
    await also?.(tx, monitoring)
    return monitoring
  })
  failpoint('api.address-monitored')
  return result
}

function requireReadable(chain: Pick<Chain, 'name'>, fromBlock: number, cursor: number | null, importBlocks: number): void {
  if (cursor === null) throw new ApiError(409, 'chain_not_indexed', `No block of ${chain.name} was read yet`)
  if (fromBlock > cursor) throw invalidBody({ field: 'fromBlock', message: `is above block ${cursor}, the newest that was read` })
  if (cursor - fromBlock >= importBlocks) {
    throw invalidBody({
      field: 'fromBlock',
      message: `is more than ${importBlocks} blocks back: ${cursor - importBlocks + 1} is the first that can be asked for`,
    })
  }
}

/**
 * Adds those that are not there.
 * @returns every entry by its address, and the addresses that are new
 */
async function store(
  tx: ModelTx,
  businessId: string,
  request: NewMonitoring,
  normal: readonly string[],
  watch: NewWatch,
): Promise<{ entries: Map<string, Entry>; created: Set<string> }> {
  const entries = new Map<string, Entry>()
  const created = new Set<string>()
  // One order for everybody: two calls with the same addresses would else wait for each other.
  let missing = [...new Map(normal.map((address, index) => [address, index]))].sort(([a], [b]) => (a < b ? -1 : 1))
  while (missing.length > 0) {
    const wanted = missing.map(([address, index]) => ({ id: newId(), address, metadata: request.addresses[index]?.metadata ?? null }))
    for (const row of await add(tx, businessId, request, wanted, watch)) {
      entries.set(row.address, { ...row, fromHeight: watch.fromHeight })
      created.add(row.address)
    }
    missing = missing.filter(([address]) => !entries.has(address))
    if (missing.length === 0) break
    for (const row of await existing(tx, businessId, request.chain.name, missing)) entries.set(row.address, row)
    // What was there and is removed meanwhile is added after all.
    missing = missing.filter(([address]) => !entries.has(address))
  }
  return { entries, created }
}

const rowOf = 'm.id, m.business_id as "businessId", m.chain, m.address, m.tokens, m.metadata, m.created_at as "createdAt"'

/** The entry and its watch in one statement: neither is ever there without the other. */
function add(
  tx: ModelTx,
  businessId: string,
  { chain, tokens = 'known' }: NewMonitoring,
  wanted: readonly { id: string; address: string; metadata: object | null }[],
  { fromHeight, policyId, importId }: NewWatch,
): Promise<MonitoredRow[]> {
  const { bytes } = addressCodec(chain.family)
  return tx.query<MonitoredRow>(
    `with wanted as (
       select * from unnest($3::uuid[], $4::text[], $5::bytea[], $6::jsonb[]) with ordinality as w(id, address, bytes, metadata, n)),
     m as (
       insert into monitored_addresses (id, business_id, chain, address, metadata, tokens)
       select id, $1, $2, address, metadata, $7 from wanted order by n
       on conflict (business_id, chain, address) where removed_at is null do nothing returning *),
     watching as (
       insert into watches (id, family, chain, address, business_id, purpose, subject_id, finality_policy_id, all_tokens, from_height, import_id, added_xid)
       select id, $8, $2, bytes, $1, 'monitor', id, $9, $7 = 'all', $10::bigint, $11::uuid, case when $11::uuid is null then pg_current_xact_id() end
       from wanted where id in (select id from m))
     select ${rowOf} from m`,
    [
      businessId,
      chain.name,
      wanted.map(({ id }) => id),
      wanted.map(({ address }) => address),
      wanted.map(({ address }) => Buffer.from(bytes(address))),
      wanted.map(({ metadata }) => metadata && JSON.stringify(metadata)),
      tokens,
      chain.family,
      policyId,
      fromHeight,
      importId,
    ],
  )
}

const existing = (tx: ModelTx, businessId: string, chain: string, missing: readonly (readonly [string, number])[]): Promise<Entry[]> =>
  tx.query<Entry>(
    `select ${rowOf}, w.from_height as "fromHeight" from monitored_addresses m join watches w on w.id = m.id
     where m.business_id = $1 and m.chain = $2 and m.address = any($3::text[]) and m.removed_at is null`,
    [businessId, chain, missing.map(([address]) => address)],
  )

/**
 * Lets those that were there begin as early; gives how many did not. Their rows are stamped anew, so that indexers read them again. Should
 * the import fail they have the blocks that they had: what an import that is not complete was to read is none of these.
 */
async function lower(
  tx: ModelTx,
  entries: Map<string, Entry>,
  created: ReadonlySet<string>,
  { id, from }: { id: string; from: number },
): Promise<number> {
  const there = [...entries.values()].filter(({ address, fromHeight }) => !created.has(address) && (fromHeight === null || Number(fromHeight) > from))
  if (there.length === 0) return 0
  const ids = there.map(({ id }) => id)
  // One order for whoever changes many: two would else wait for each other.
  await tx.query('select id from watches where id = any($1::uuid[]) order by id for update', [ids])
  await tx.query(
    `update watches w set from_height = $2, import_id = $3,
       from_before = case when exists (select 1 from monitoring_imports i where i.id = w.import_id and i.status in ('pending', 'begun', 'running'))
         then from_before else coalesce(from_height, 0) end
     where id = any($1::uuid[]) and (from_height is null or from_height > $2)`,
    [ids, from, id],
  )
  for (const entry of there) entry.fromHeight = from
  return there.length
}
