import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/platform/database/db.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

export async function up(db: Queryable): Promise<void> {
  await db.query('drop function take_webhook_turn')
  await db.query(read('0107-claims-ahead.sql'))
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function take_webhook_turn')
  await db.query(read('0057-failing-types.sql'))
}
