import { createHash } from 'node:crypto'
import type { Tx } from '../platform/database/db.ts'
import { type LedgerDrift, maxDrifts } from './drift.ts'

/**
 * Entries are chained by hash in the order of their ids: each hash is made of the one before and of the
 * entry's text. An id that was committed after the close of its time is chained by the next close. A change
 * to a chained entry, or to a hash, breaks the chain where it was made.
 */
interface Link {
  position: bigint
  hash: Buffer
}

const start: Link = { position: 0n, hash: Buffer.alloc(32) }

const batch = 2000

/**
 * The text of entry `e` with its postings, as JSON. It must stay as it is for ever: a field more would break
 * every chain. Times are microseconds, free of time zones. "offset 0" finds the account of each posting by
 * its index: a plain join reads all accounts for each entry.
 */
const textOfEntry = `json_build_array(e.id, e.kind, e.business_id, e.cause_kind, e.reference, e.step, e.reverses, (extract(epoch from e.created_at) * 1000000)::bigint,
  (select json_agg(json_build_array(p.id, a.name, a.business_id, a.asset, a.normal_side, p.asset, p.amount::text) order by p.id)
   from ledger_postings p cross join lateral (select * from ledger_accounts where id = p.account_id offset 0) a where p.entry_id = e.id))::text`

const hashOf = (before: Buffer, text: string): Buffer =>
  createHash('sha256').update(before).update(text).digest()

export async function lastLink(tx: Tx): Promise<Link> {
  const [row] = await tx.query<{ position: string; hash: Buffer }>(
    'select position, hash from ledger_links order by position desc limit 1',
  )
  return row ? { position: BigInt(row.position), hash: row.hash } : start
}

/**
 * Reads rows in batches by a cursor: one statement, which is planned once and sees the database at one
 * moment.
 */
async function* batches<R extends object>(
  tx: Tx,
  query: string,
  stopping: AbortSignal | undefined,
): AsyncGenerator<R[]> {
  await tx.query(`declare ledger_rows no scroll cursor for ${query}`)
  for (;;) {
    stopping?.throwIfAborted()
    const rows = await tx.query<R>(`fetch ${batch} from ledger_rows`)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await tx.query('close ledger_rows')
}

/**
 * Chains every entry that is not chained yet.
 * @returns how many, and the last link
 */
export async function extendChain(tx: Tx, stopping?: AbortSignal): Promise<{ entries: number; last: Link }> {
  let last = await lastLink(tx)
  let entries = 0
  const unchained = `select e.id, ${textOfEntry} as text from ledger_entries e
    where not exists (select 1 from ledger_links l where l.entry_id = e.id) order by e.id`
  for await (const rows of batches<{ id: string; text: string }>(tx, unchained, stopping)) {
    const links = rows.map(({ id, text }) => {
      last = { position: last.position + 1n, hash: hashOf(last.hash, text) }
      return { id, ...last }
    })
    await tx.query(
      'insert into ledger_links (position, entry_id, hash) select * from unnest($1::bigint[], $2::uuid[], $3::bytea[])',
      [
        links.map(({ position }) => position.toString()),
        links.map(({ id }) => id),
        links.map(({ hash }) => hash),
      ],
    )
    entries += rows.length
  }
  return { entries, last }
}

/**
 * Links whose hash is not that of their entry and the link before, and closes whose last hash is no longer in
 * the chain.
 */
export async function chainDrifts(tx: Tx, stopping?: AbortSignal): Promise<LedgerDrift[]> {
  const drifts: LedgerDrift[] = []
  let before = start.hash
  const links = `select l.entry_id as "entryId", l.hash, case when e.id is not null then ${textOfEntry} end as text
    from ledger_links l left join ledger_entries e on e.id = l.entry_id order by l.position`
  for await (const rows of batches<{ entryId: string; hash: Buffer; text: string | null }>(
    tx,
    links,
    stopping,
  )) {
    for (const { entryId, hash, text } of rows) {
      const found = text === null ? null : hashOf(before, text)
      if (!found?.equals(hash) && drifts.length < maxDrifts)
        drifts.push(broken(`entry ${entryId}`, hash, found))
      before = hash
    }
  }
  return [...drifts, ...(await brokenCloses(tx))].slice(0, maxDrifts)
}

async function brokenCloses(tx: Tx): Promise<LedgerDrift[]> {
  const rows = await tx.query<{ id: string; lastHash: Buffer; hash: Buffer | null }>(
    `select c.id, c.last_hash as "lastHash", l.hash from ledger_closes c left join ledger_links l on l.position = c.last_position
     where c.last_position > 0 and l.hash is distinct from c.last_hash order by c.id limit ${maxDrifts}`,
  )
  return rows.map(({ id, lastHash, hash }) => broken(`close ${id}`, lastHash, hash))
}

const broken = (subject: string, expected: Buffer, found: Buffer | null): LedgerDrift => ({
  kind: 'chain_hash',
  accountId: null,
  subject,
  expected: expected.toString('hex'),
  found: found?.toString('hex') ?? 'missing',
})
