import type { Tx } from '../platform/db.ts'

/**
 * Lets changes of a business and of its members happen one after another; what only goes by the business (`for key share`) goes on. Call it
 * first: the order of locks is that of docs/architecture.md.
 */
export const lockBusiness = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.query('select 1 from businesses where id = $1 for no key update', [id]))
