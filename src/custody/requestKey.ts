import { randomBytes } from 'node:crypto'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { once } from '../platform/once.ts'
import { Secret } from '../platform/secrets.ts'
import { requestKeyContext } from './sealedColumns.ts'
import { openText, sealText } from './sealText.ts'

/**
 * The key that `Idempotency-Key`s and bodies are hashed with. It stays when APP_KEY is rolled: a request that
 * is repeated after the roll must find its answer, and two processes in the middle of it must give a key the
 * same hash. It is random. Only where a version that hashed with APP_KEY has left keys, and no row yet, it is
 * that APP_KEY.
 */
export const createRequestKey = (ctx: { db: Db; appKey: Secret }): (() => Promise<Secret>) =>
  once(async () => (await readRequestKey(ctx)) ?? (await store(ctx)))

/** Null before the first start of the api. @throws where it was sealed with another `APP_KEY` */
export async function readRequestKey({ db, appKey }: { db: Db; appKey: Secret }): Promise<Secret | null> {
  const [row] = await db.query<{ id: string; sealed: Buffer }>('select id, sealed from request_keys')
  if (!row) return null
  try {
    return openText(appKey, requestKeyContext(row.id), row.sealed)
  } catch (cause) {
    throw new Error('the key of Idempotency-Keys cannot be opened with this APP_KEY (docs/custody.md)', {
      cause,
    })
  }
}

async function store(ctx: { db: Db; appKey: Secret }): Promise<Secret> {
  const id = newId()
  const [earlier] = await ctx.db.query('select 1 from idempotency_keys limit 1')
  const key = earlier ? new Secret(ctx.appKey.reveal()) : new Secret(randomBytes(32).toString('base64'))
  // Concurrent first calls: one row wins, and all read it.
  await ctx.db.query('insert into request_keys (id, sealed) values ($1, $2) on conflict do nothing', [
    id,
    sealText(ctx.appKey, requestKeyContext(id), key),
  ])
  const stored = await readRequestKey(ctx)
  if (!stored) throw new Error('the key of Idempotency-Keys was stored but cannot be read back')
  return stored
}
