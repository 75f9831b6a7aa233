import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(readFileSync(new URL('0013-turns.sql', import.meta.url), 'utf8'))
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function take_webhook_turn')
}
