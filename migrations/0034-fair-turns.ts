import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/platform/database/db.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

export async function up(db: Queryable): Promise<void> {
  await db.query('drop function take_webhook_turn')
  await db.query(read('0034-fair-turns.sql'))
  await db.query(
    'create index outgoing_turns on outgoing (business_id, next_look_at) where next_look_at is not null',
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index outgoing_turns')
  await db.query('drop function take_webhook_turn')
  await db.query(read('0013-turns.sql'))
}
