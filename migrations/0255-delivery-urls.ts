import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

const before = readFileSync(new URL('0107-claims-ahead.sql', import.meta.url), 'utf8')

/** As `take_webhook_turn`, which workers of the version before call, with the URL of each delivery. */
const changes: readonly (readonly [string, string])[] = [
  ['create function take_webhook_turn(', 'create function take_delivery_turn('],
  ['sequence bigint, data jsonb)', 'sequence bigint, data jsonb, delivery_url text)'],
  [
    'at_now := clock_timestamp();',
    'at_now := clock_timestamp();\n  if e.callback_host is not null then e.not_before := e.callback_not_before; end if;',
  ],
  [
    'not_before = e.not_before,',
    `not_before = case when e.callback_host is null then e.not_before else 'infinity' end,
        callback_not_before = case when e.callback_host is not null then e.not_before end,`,
  ],
  // A host of callbacks is not paused: each of its deliveries is given up at the end of its schedule.
  ['overdue := error is not null and', 'overdue := error is not null and e.callback_host is null and'],
  ['event_id, type, sequence, data in execute', 'event_id, type, sequence, data, delivery_url in execute'],
  ['d.type, v.sequence, v.data\n', 'd.type, v.sequence, v.data, d.url\n'],
]

/** Where a single delivery goes, if not to the URL of its endpoint. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table webhook_deliveries add url text;
    comment on column webhook_deliveries.url is 'the webhookUrl of its session; null: the URL of its endpoint'
  `)
  await db.query(changes.reduce(replaced, before))
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function take_delivery_turn')
  await db.query('alter table webhook_deliveries drop column url')
}

/** @throws if the text to replace is not there */
function replaced(sql: string, [from, to]: readonly [string, string]): string {
  if (!sql.includes(from)) throw new Error(`not in 0107-claims-ahead.sql: ${from}`)
  return sql.replace(from, () => to)
}
