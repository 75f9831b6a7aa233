import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * Which events an endpoint gets, besides its types, and the hosts of callbacks, which are stored as endpoints.
 * For workers of the version before, which do not know the URL of a single delivery, no attempt to these is
 * ever due: their `not_before` is infinity.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table webhook_endpoints add chains text[], add tokens text[], add reference_prefix text,
      add callback_host text, add callback_not_before timestamptz;
    comment on column webhook_endpoints.chains is 'only events of these chains, and those without a chain; null: all';
    comment on column webhook_endpoints.tokens is 'only events of these tokens, and those without a token; null: all';
    comment on column webhook_endpoints.reference_prefix is 'only events whose reference begins with it, and those that have no such field; null: all';
    comment on column webhook_endpoints.callback_host is 'a host of callbacks: it gets the events of sessions whose webhookUrl has it, each at that URL; null: an endpoint';
    comment on column webhook_endpoints.callback_not_before is 'of a host of callbacks, in place of not_before'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'update webhook_endpoints set removed_at = coalesce(removed_at, now()) where callback_host is not null',
  )
  await db.query(`
    alter table webhook_endpoints drop chains, drop tokens, drop reference_prefix, drop callback_host,
      drop callback_not_before
  `)
}
