import type { Token } from '../chains/action.ts'
import type { SweepPayer } from '../chains/sweeping.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { SweepStatus } from './nextSweep.ts'

/** A sweep as stored. */
export interface Sweep {
  id: string
  chain: string
  address: string
  /** The registry's symbol. */
  symbol: string
  /** Null for the native coin. */
  token: Token | null
  /** Base units that reach the treasury. */
  amount: bigint
  payer: SweepPayer
  /** Solana: the account of the token is closed once it is empty. */
  closes: boolean
  status: SweepStatus
  reason: string | null
  intentId: string | null
  gasIntentId: string | null
  tries: number
  /** As text, exact: the claim of a worker, which the next change makes another. */
  nextAt: string | null
}

type Row = Omit<Sweep, 'token' | 'amount'> & { contract: string | null; decimals: number; amount: string }

/** @param where SQL over the table `sweeps`, with `values` from $1 on */
export async function readSweeps(db: Queryable, where: string, values: readonly unknown[]): Promise<Sweep[]> {
  const rows = await db.query<Row>(
    `select id, chain, address, token as symbol, contract, decimals, amount, payer, closes, status, reason, intent_id as "intentId",
       gas_intent_id as "gasIntentId", tries, next_at::text as "nextAt"
     from sweeps where ${where}`,
    [...values],
  )
  return rows.map(({ contract, decimals, amount, ...row }) => ({
    ...row,
    amount: BigInt(amount),
    token: contract === null ? null : { contract, symbol: row.symbol, decimals },
  }))
}

/** Locks a sweep that this worker has claimed; null if it has changed since. */
export async function lockClaimed(tx: Tx, { id, nextAt }: Sweep): Promise<Sweep | null> {
  const [row] = await readSweeps(tx, 'id = $1 and next_at = $2::timestamptz for update', [id, nextAt])
  return row ?? null
}
