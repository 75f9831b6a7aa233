import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Internal transfers are keyed by content, no longer by their position among the calls, which nodes number
 * differently.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    update transfers t set movement_key = 'trace:' || n.alike || ':' || n.before
    from (
      select id, from_address || ':' || to_address || ':' || amount as alike, row_number() over (
          partition by chain, block_id, tx_id, from_address, to_address, amount order by string_to_array(substr(movement_key, 7), '.')::integer[]) - 1 as before
      from transfers where movement_key ~ '^trace:[0-9.]+$') n
    where t.id = n.id
  `)
  // Fence off indexers of the previous version, which would continue with the old keys.
  await db.query('update chain_cursors set epoch = epoch + 1')
}

/**
 * The positions are lost, so transfers get the key of a transaction's net gain: with it the previous version
 * does not record the single calls again.
 */
export async function down(db: Queryable): Promise<void> {
  await db.query(`
    update transfers t set movement_key = 'trace:net:' || t.to_address || ':' || n.before
    from (
      select id, row_number() over (partition by chain, block_id, tx_id, to_address order by movement_key) - 1 as before
      from transfers where movement_key like 'trace:%' and movement_key not like 'trace:net%') n
    where t.id = n.id
  `)
}
