import type { ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { checkChain, UncheckableChainError } from './checkChain.ts'
import type { ChainDrift } from './context.ts'
import { lockChecks } from './lockChecks.ts'

export interface ReconciliationContext {
  db: Db
  log: Log
  balancesOf(chain: string): Promise<BalanceReader>
  /** Between two reads of an address that differs; null: by the chain's pace. */
  pauseMs: number | null
  signal: AbortSignal
}

export interface Checked {
  id: string
  addresses: number
  drift: readonly ChainDrift[]
  /** The lowest block that addresses were compared as of; null: as of the time of the check. */
  height: number | null
  /** Why the chain could not be compared; null if it was. */
  problem: string | null
}

/** A check that has not ended after this time has died with its worker. */
const maxHours = 6
/** One that could not compare is made again soon. */
const retryMinutes = 15
const maxStored = 1000
/** Long enough for a block and the indexer. */
const pauseOf = ({ blockMs }: ConfiguredChain): number => Math.max(5000, 3 * blockMs)

/**
 * Compares the books of a chain with what its addresses hold there, and records the result.
 * @param when due: only if the last check is a day old
 * @returns null if no check is due, or another process makes one now
 */
export async function reconcileChain(
  ctx: ReconciliationContext,
  chain: ConfiguredChain,
  when: 'due' | 'now',
): Promise<Checked | null> {
  const id = await begin(ctx.db, chain.name, when)
  if (id === null) return null
  const checked = await check(ctx, chain).catch(
    (error): Omit<Checked, 'id'> => ({ addresses: 0, drift: [], height: null, problem: problemOf(error) }),
  )
  await store(ctx.db, { id, ...checked })
  report(ctx.log, chain.name, checked)
  return { id, ...checked }
}

async function begin(db: Db, chain: string, when: 'due' | 'now'): Promise<string | null> {
  return db.tx(async (tx) => {
    await lockChecks(tx, chain)
    // A minute less than a day, so that the hour of the check does not wander.
    const [recent] = await tx.query(
      `select 1 from chain_checks where chain = $1 and (
         ended_at is null and started_at > now() - $3 * interval '1 hour'
         or $2 and drifts is not null and ended_at > now() - interval '1 day' + interval '1 minute'
         or $2 and problem is not null and ended_at > now() - $4 * interval '1 minute') limit 1`,
      [chain, when === 'due', maxHours, retryMinutes],
    )
    if (recent) return null
    const [row] = await tx.query<{ id: string }>(
      'insert into chain_checks (chain) values ($1) returning id',
      [chain],
    )
    return row?.id ?? null
  })
}

async function check(ctx: ReconciliationContext, chain: ConfiguredChain): Promise<Omit<Checked, 'id'>> {
  const treasury = await treasuryAddress(ctx.db, chain.family)
  if (treasury === null) throw new UncheckableChainError('the treasury has not started')
  const staking = await stakingAddress(ctx.db, chain)
  const balances = await ctx.balancesOf(chain.name)
  const compared = await checkChain(
    { db: ctx.db, chain, balances, pauseMs: ctx.pauseMs ?? pauseOf(chain), signal: ctx.signal },
    { treasury, staking },
  )
  if (ctx.signal.aborted) throw new UncheckableChainError('the worker was stopped')
  return { ...compared, problem: null }
}

/** Null while the chain has no stakes: on Stellar the account may not be opened. */
async function stakingAddress(db: Db, { name, family }: ConfiguredChain): Promise<string | null> {
  const [row] = await db.query<{ address: string }>(
    `select address from staking_addresses where family = $1
       and exists (select 1 from ledger_accounts where business_id is null and name = 'staking:' || $2)`,
    [family, name],
  )
  return row?.address ?? null
}

const problemOf = (error: unknown): string => messageOf(error).slice(0, 300)

const store = (db: Db, { id, addresses, drift, height, problem }: Checked): Promise<void> =>
  db.tx(async (tx) => {
    const stored = drift.slice(0, maxStored)
    await tx.query(
      'update chain_checks set ended_at = clock_timestamp(), addresses = $2, drifts = $3, problem = $4, height = $5 where id = $1',
      [id, addresses, problem === null ? drift.length : null, problem, height],
    )
    await tx.query(
      `insert into chain_drifts (check_id, number, address, symbol, expected, found)
       select $1, number, address, symbol, expected, found
       from unnest($2::text[], $3::text[], $4::numeric[], $5::numeric[]) with ordinality as d(address, symbol, expected, found, number)`,
      [
        id,
        stored.map(({ address }) => address),
        stored.map(({ symbol }) => symbol),
        stored.map(({ expected }) => expected.toString()),
        stored.map(({ found }) => found.toString()),
      ],
    )
  })

function report(log: Log, chain: string, { addresses, drift, problem }: Omit<Checked, 'id'>): void {
  const shown = drift.slice(0, 10).map(({ address, symbol, expected, found }) => ({
    address,
    symbol,
    expected: `${expected}`,
    found: `${found}`,
  }))
  if (problem !== null) log.warn({ chain, err: problem }, 'the books could not be compared with the chain')
  else if (drift.length === 0) log.info({ chain, addresses }, 'the books agree with the chain')
  else
    log.error(
      { chain, addresses, drifts: drift.length, shown },
      'the chain does not hold what the books say: see docs/runbooks/chain-drift.md',
    )
}
