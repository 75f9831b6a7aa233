import type { Db, Tx } from '../platform/database/db.ts'
import { assetDrifts, balanceDrifts } from './balanceDrifts.ts'
import { type ComparedChain, comparedChains, comparedDrifts, storeCompared } from './comparedChains.ts'
import type { DriftCheck, LedgerDrift } from './drift.ts'
import { chainDrifts, extendChain, lastLink } from './hashChain.ts'

export interface Close {
  id: string
  startedAt: Date
  endedAt: Date
  /** How many entries it chained. */
  entries: number
  lastPosition: bigint
  /** Hex. */
  lastHash: string
  /** Up to `maxDrifts` of each kind. */
  drifts: number
  chains: ComparedChain[]
}

const checks: readonly DriftCheck[] = [balanceDrifts, assetDrifts, chainDrifts]

/**
 * Compares what is recorded twice: balances with postings, assets with zero, hashes with entries; and reads
 * how the chains compared.
 */
export async function verifyLedger(
  tx: Tx,
  stopping?: AbortSignal,
  chains?: readonly ComparedChain[],
): Promise<LedgerDrift[]> {
  const drifts: LedgerDrift[] = []
  for (const check of checks) drifts.push(...(await check(tx, stopping)))
  drifts.push(...(await comparedDrifts(tx, chains ?? (await comparedChains(tx)))))
  return drifts
}

/**
 * Verifies the ledger, chains the entries since the last close, and records both. All of it is one
 * transaction, so that a close is whole or absent. Where balances or assets do not agree, it chains nothing:
 * an entry that was changed must not get a hash before it is put right.
 * @param when due: only if the last close is a day old
 * @returns null if another process closes the ledger now, or no close is due
 */
export async function closeLedger(
  { db, stopping }: { db: Db; stopping?: AbortSignal },
  when: 'due' | 'now',
): Promise<{ close: Close; drifts: LedgerDrift[] } | null> {
  // Without a lock first: every worker checks each minute.
  if (when === 'due' && !(await isDue(db))) return null
  return db.tx(async (tx) => {
    const [lock] = await tx.query<{ isHeld: boolean; at: Date }>(
      `select pg_try_advisory_xact_lock(hashtext('cowry-ledger-close')) as "isHeld", clock_timestamp() as at`,
    )
    if (!lock?.isHeld || (when === 'due' && !(await isDue(tx)))) return null
    const chains = await comparedChains(tx)
    const drifts = await verifyLedger(tx, stopping, chains)
    const isSound = drifts.every(({ kind }) => kind !== 'balance' && kind !== 'asset')
    const { entries, last } = isSound
      ? await extendChain(tx, stopping)
      : { entries: 0, last: await lastLink(tx) }
    const [row] = await tx.query<{ id: string; endedAt: Date }>(
      `insert into ledger_closes (started_at, entries, last_position, last_hash, drifts) values ($1, $2, $3, $4, $5) returning id, ended_at as "endedAt"`,
      [lock.at, entries, last.position.toString(), last.hash, drifts.length],
    )
    if (!row) throw new Error('the close was not stored')
    await tx.query(
      `insert into ledger_drifts (close_id, number, kind, account_id, subject, expected, found)
       select $1, number, kind, account_id, subject, expected, found
       from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[]) with ordinality as d(kind, account_id, subject, expected, found, number)`,
      [
        row.id,
        drifts.map(({ kind }) => kind),
        drifts.map(({ accountId }) => accountId),
        drifts.map(({ subject }) => subject),
        drifts.map(({ expected }) => expected),
        drifts.map(({ found }) => found),
      ],
    )
    await storeCompared(tx, row.id, chains)
    const close = {
      ...row,
      startedAt: lock.at,
      entries,
      lastPosition: last.position,
      lastHash: last.hash.toString('hex'),
      drifts: drifts.length,
      chains,
    }
    return { close, drifts }
  })
}

/** A minute less than a day, so that the hour of the close does not wander. */
async function isDue(db: Pick<Db, 'query'>): Promise<boolean> {
  const recent = await db.query(
    "select 1 from ledger_closes where ended_at > clock_timestamp() - interval '1 day' + interval '1 minute' limit 1",
  )
  return recent.length === 0
}
