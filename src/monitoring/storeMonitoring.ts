import { addressCodec } from '../chains/codecs.ts'
import type { Chain } from '../chains/registry.ts'
import { createYield } from '../platform/createYield.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { type Caps, requireRoom } from '../rateLimits/caps.ts'
import { insertWatchesClause } from '../watches/insertWatches.ts'
import { importToJoin, startImport } from './imports.ts'
import { countMonitored } from './listMonitored.ts'
import type { MonitoredTokens } from './models.ts'
import type { MonitoredRow } from './view.ts'

/** Rows per statement: other requests run between two statements, here and in the database. */
const pieceSize = 250
/** Maximum addresses of one bulk call, as in the contract. */
export const maxOfCall = 10_000
/** Upper bound of addresses that a business adds one by one at the same time. */
const maxOneByOne = 5_000

/** Limits of a business's monitored addresses. */
export interface MonitoringCaps {
  caps: Pick<Caps, 'monitoredAddresses'>
  /** Concurrent bulk calls of a business: their additions may be invisible to other transactions. */
  bulkCallsAtOnce: number
}

export interface WantedMonitoring {
  businessId: string
  chain: Pick<Chain, 'name' | 'family'>
  tokens: MonitoredTokens
  /** Blocks from this height on are read again; null: no blocks. */
  fromBlock: number | null
  /** Addresses in the family's normal form; of a repeated address the last row counts. */
  rows: readonly { address: string; metadata: object | null }[]
}

export interface Entry extends MonitoredRow {
  fromHeight: string | number | null
}

export interface StoredMonitoring {
  /** An entry for each address, in their order; an address that is named twice is new once. */
  results(addresses: readonly string[]): { entry: Entry; created: boolean }[]
  /** The import that reads the blocks since `fromBlock`; null if there is nothing to read. */
  importId: string | null
  /** Blocks that the import reads only because of these addresses. */
  importBlocks: number
}

interface MonitoredFrom {
  fromHeight: number | null
  policyId: string | null
  importId: string | null
}

/** Height of the newest block read on a chain; null before the first. */
export async function cursorOf(db: Queryable, chain: string): Promise<number | null> {
  const [row] = await db.query<{ height: string }>('select height from chain_cursors where chain = $1', [
    chain,
  ])
  return row ? Number(row.height) : null
}

/**
 * Stores monitored addresses in one transaction, in pieces: all become visible at its commit, or not one.
 * @param onPiece runs after each piece with the number of addresses done
 * @throws ApiError 409 `cap_reached`
 */
export async function storeMonitoring(
  tx: Tx,
  { caps, bulkCallsAtOnce }: MonitoringCaps,
  wanted: WantedMonitoring,
  onPiece: (done: number) => Promise<void> = async () => {},
): Promise<StoredMonitoring> {
  const { businessId, chain, fromBlock } = wanted
  const cursor = await cursorOf(tx, chain.name)
  const [business] = await tx.query<{ policy: string | null }>(
    'select finality_policy_id as policy from businesses where id = $1',
    [businessId],
  )
  const waiting =
    fromBlock === null || cursor === null ? null : await importToJoin(tx, businessId, chain.name)
  const fromHeight = fromBlock ?? (cursor === null ? null : cursor + 1)
  const watch = { fromHeight, policyId: business?.policy ?? null, importId: waiting?.id ?? null }
  const { entries, created } = await storeEntries(tx, wanted, watch, onPiece)
  if (created.size > 0) {
    const count = () => countMonitored(tx, businessId, undefined)
    await requireRoom(tx, caps, businessId, {
      name: 'monitoredAddresses',
      count,
      slack: bulkCallsAtOnce * maxOfCall + maxOneByOne,
    })
  }
  let importBlocks = 0
  let importId: string | null = null
  if (waiting && fromBlock !== null && cursor !== null) {
    const addresses =
      created.size + (await lowerFromHeight(tx, entries, created, { id: waiting.id, from: fromBlock }))
    if (addresses > 0) {
      importId = waiting.id
      importBlocks = await startImport(tx, waiting, {
        businessId,
        chain: chain.name,
        from: fromBlock,
        to: cursor,
        addresses,
      })
    }
  }
  return {
    results: (addresses) => {
      const named = new Set<string>()
      return addresses.map((address) => {
        const entry = entries.get(address)
        if (!entry) throw new Error('a stored address has no entry')
        const isFirst = !named.has(address)
        named.add(address)
        return { entry, created: isFirst && created.has(address) }
      })
    },
    importId,
    importBlocks,
  }
}

/**
 * Adds the missing entries.
 * @returns every entry by its address, and the new addresses
 */
async function storeEntries(
  tx: Tx,
  wanted: WantedMonitoring,
  watch: MonitoredFrom,
  onPiece: (done: number) => Promise<void>,
): Promise<{ entries: Map<string, Entry>; created: Set<string> }> {
  const entries = new Map<string, Entry>()
  const created = new Set<string>()
  // Sorted to avoid deadlocks.
  const all = [...new Map(wanted.rows.map((row) => [row.address, row])).values()].sort((a, b) =>
    a.address < b.address ? -1 : 1,
  )
  for (let from = 0; from < all.length; from += pieceSize) {
    let missing = all.slice(from, from + pieceSize)
    while (missing.length > 0) {
      const rows = missing.map((row) => ({ id: newId(), ...row }))
      for (const row of await add(tx, wanted, rows, watch)) {
        entries.set(row.address, { ...row, fromHeight: watch.fromHeight })
        created.add(row.address)
      }
      missing = missing.filter(({ address }) => !entries.has(address))
      if (missing.length === 0) break
      const addresses = missing.map(({ address }) => address)
      for (const row of await existing(tx, wanted, addresses)) entries.set(row.address, row)
      // An entry that existed and was removed meanwhile is added after all.
      missing = missing.filter(({ address }) => !entries.has(address))
    }
    await onPiece(Math.min(all.length, from + pieceSize))
  }
  return { entries, created }
}

const rowOf =
  'm.id, m.business_id as "businessId", m.chain, m.address, m.tokens, m.metadata, m.created_at as "createdAt"'

/** Inserts entry and watch in one statement: each refers to the other. */
async function add(
  tx: Tx,
  { businessId, chain, tokens }: WantedMonitoring,
  wanted: readonly { id: string; address: string; metadata: object | null }[],
  { fromHeight, policyId, importId }: MonitoredFrom,
): Promise<MonitoredRow[]> {
  const { bytes } = addressCodec(chain.family)
  const rest = createYield()
  const raw: Buffer[] = []
  for (const { address } of wanted) {
    raw.push(Buffer.from(bytes(address)))
    await rest()
  }
  const watching = insertWatchesClause(
    {
      family: chain.family,
      chain: chain.name,
      businessId,
      purpose: 'monitor',
      finality: { policyId, amount: null },
      allTokens: tokens === 'all',
      fromHeight,
      importId,
      rereads: importId === null,
    },
    '(select id, id as subject_id, bytes from wanted where id in (select id from m)) as new',
    8,
  )
  return tx.query<MonitoredRow>(
    `with wanted as (
       select * from unnest($3::uuid[], $4::text[], $5::bytea[], $6::jsonb[]) with ordinality as w(id, address, bytes, metadata, n)),
     m as (
       insert into monitored_addresses (id, business_id, chain, address, metadata, tokens)
       select id, $1, $2, address, metadata, $7 from wanted order by n
       on conflict (business_id, chain, address) where removed_at is null do nothing returning *),
     watching as (${watching.clause})
     select ${rowOf} from m`,
    [
      businessId,
      chain.name,
      wanted.map(({ id }) => id),
      wanted.map(({ address }) => address),
      raw,
      wanted.map(({ metadata }) => metadata && JSON.stringify(metadata)),
      tokens,
      ...watching.values,
    ],
  )
}

const existing = (
  tx: Tx,
  { businessId, chain }: WantedMonitoring,
  addresses: readonly string[],
): Promise<Entry[]> =>
  tx.query<Entry>(
    `select ${rowOf}, w.from_height as "fromHeight" from monitored_addresses m join watches w on w.id = m.id
     where m.business_id = $1 and m.chain = $2 and m.address = any($3::text[]) and m.removed_at is null`,
    [businessId, chain.name, addresses],
  )

/**
 * Lowers the start height of existing entries to that of the request; returns how many were lowered. Their
 * watches are stamped, so that indexers read them again. `from_before` keeps the height that they fall back
 * to if the import fails; blocks of an incomplete import do not count.
 */
async function lowerFromHeight(
  tx: Tx,
  entries: Map<string, Entry>,
  created: ReadonlySet<string>,
  { id, from }: { id: string; from: number },
): Promise<number> {
  const there = [...entries.values()].filter(
    ({ address, fromHeight }) => !created.has(address) && (fromHeight === null || Number(fromHeight) > from),
  )
  // Sorted to avoid deadlocks.
  const ids = there.map((entry) => entry.id).sort()
  for (let at = 0; at < ids.length; at += pieceSize) {
    const piece = ids.slice(at, at + pieceSize)
    await tx.query('select id from watches where id = any($1::uuid[]) order by id for update', [piece])
    await tx.query(
      `update watches w set from_height = $2, import_id = $3,
         from_before = case when exists (select 1 from monitoring_imports i where i.id = w.import_id and i.status in ('pending', 'begun', 'running'))
           then from_before else coalesce(from_height, 0) end
       where id = any($1::uuid[]) and (from_height is null or from_height > $2)`,
      [piece, from, id],
    )
  }
  for (const entry of there) entry.fromHeight = from
  return there.length
}
