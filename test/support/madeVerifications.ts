import { platformAccount } from '../../src/ledger/account.ts'
import { dollars } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import type { VerificationContext } from '../../src/verification/context.ts'
import { type NewKey, storeVerificationKey } from '../../src/verification/createKey.ts'
import type { KeyKind } from '../../src/verification/model.ts'
import type { Verifier } from '../../src/verification/verifier.ts'

/** Makes a key of the verification area. */
export const makeVerificationKey = (
  db: Db,
  businessId: string,
  kind: KeyKind = 'secret',
  environment: 'test' | 'live' = 'test',
  origins: string[] = [],
): Promise<NewKey> =>
  db.tx((tx) => storeVerificationKey(tx, environment, businessId, null, { name: 'site', kind, origins }))

/** Gives a business prepaid credit, in millionths of a dollar. */
export async function addCredit(db: Db, businessId: string, amount: bigint): Promise<void> {
  const cause = { kind: 'adjustment', id: newId() } as const
  const postings = [
    { account: platformAccount('capital', dollars), amount },
    { account: { name: 'credit', businessId, asset: dollars } as const, amount: -amount },
  ]
  await db.tx((tx) => post(tx, [{ kind: 'adjustment', businessId, cause, step: 1, postings }]))
}

/** The operator's price of a decision or an assessment, in millionths of a dollar. */
export const setProductPrice = (db: Db, product: 'assessment' | 'decision', price: bigint) =>
  db.query(
    `insert into verification_prices (product, price) values ($1, $2)
     on conflict (product, country, id_type) do update set price = excluded.price, updated_at = now()`,
    [product, price.toString()],
  )

/** The operator's price of a check, in millionths of a dollar. */
export async function setPrice(db: Db, country: string, idType: string, price: bigint): Promise<void> {
  await db.query(
    `insert into verification_prices (country, id_type, price) values ($1, $2, $3)
     on conflict (product, country, id_type) do update set price = excluded.price, updated_at = now()`,
    [country, idType, price.toString()],
  )
}

/** A verification that has failed, as the api reads it: its key opens nothing. */
export async function makeVerificationRow(db: Db, businessId: string): Promise<string> {
  const id = newId()
  await db.query(
    `insert into verifications
       (id, kind, business_id, request_id, country, id_type, price, status, reason_code, reason, data_key, next_attempt_at, completed_at)
     values ($1, 'verification', $2, $3, 'NG', 'passport', 250000, 'failed', 'document_expired', 'The document has expired', '\\x00', null, now())`,
    [id, businessId, `r-${id}`],
  )
  return id
}

/** What operations of the area need, without a process. Log lines go to `logged`. */
export function madeContext(db: Db, verifier: Verifier | null, logged: string[] = []): VerificationContext {
  const note = (...line: unknown[]) => void logged.push(JSON.stringify(line))
  return {
    ...{
      db,
      verifier,
      verifyUrl: 'http://localhost:3100',
      uploads: null,
      erasures: null,
      unusedBytes: 0,
      observeUpload() {},
      observeEnd() {},
    },
    log: { info: note, warn: note, error: note } as unknown as Log,
    limiter: {
      count: async (limit) => ({ limit, over: false, used: 1, remaining: limit.max - 1, resetSeconds: 60 }),
    } as RateLimiter,
    verifyKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
  }
}
