import type { Tx } from '../platform/database/db.ts'

/**
 * Serializes changes of a business and of its members; readers (`for key share`) do not wait. Call it first:
 * lock order of docs/architecture.md.
 */
export const lockBusiness = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.query('select 1 from businesses where id = $1 for no key update', [id]))
