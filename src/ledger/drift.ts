import type { Tx } from '../platform/database/db.ts'

export const driftKinds = ['balance', 'asset', 'chain_hash', 'chain', 'chain_overdue'] as const

/** A difference between two records of the same fact. */
export interface LedgerDrift {
  kind: (typeof driftKinds)[number]
  /** Of a balance. */
  accountId: string | null
  /** Names the account, the asset, the entry, the close, or the address or chain that was compared. */
  subject: string
  expected: string
  found: string
}

/** Finds differences of one kind. */
export type DriftCheck = (tx: Tx, stopping?: AbortSignal) => Promise<LedgerDrift[]>

/**
 * Maximum differences of one kind that are read and stored: a damage to the whole table is found as well by
 * its first rows.
 */
export const maxDrifts = 1000
