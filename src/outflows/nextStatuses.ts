import type { OutflowStatus } from './outflow.ts'

/**
 * The states that follow each. `pending` follows `processing` and `unknown` only where nothing can have left.
 * `unknown` follows what has not left only where the partner has it, after a restore.
 */
export const nextStatuses: Readonly<Record<OutflowStatus, readonly OutflowStatus[]>> = {
  awaiting_claim: ['pending', 'awaiting_approval', 'cancelled', 'completed'],
  awaiting_approval: ['pending', 'unknown', 'failed', 'cancelled', 'completed'],
  pending: ['processing', 'unknown', 'failed', 'cancelled', 'completed'],
  processing: ['pending', 'unknown', 'completed', 'failed'],
  unknown: ['pending', 'processing', 'completed', 'failed'],
  completed: ['failed', 'returned'],
  returned: [],
  failed: [],
  cancelled: [],
}
