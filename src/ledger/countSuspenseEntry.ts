import type { Tx } from '../platform/database/db.ts'

/** Counts one more entry of a payment in suspense, and locks the payment. @returns the step of that entry */
export async function countSuspenseEntry(tx: Tx, detectionId: string): Promise<number> {
  const [row] = await tx.query<{ entries: number }>(
    'update suspense_payments set entries = entries + 1, updated_at = now() where detection_id = $1 returning entries',
    [detectionId],
  )
  if (!row) throw new Error(`there is no payment ${detectionId} in suspense`)
  return row.entries
}
