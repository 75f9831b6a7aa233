import { systemActor } from '../../src/audit/recordAudit.ts'
import { platformAccount } from '../../src/ledger/account.ts'
import { adjusted } from '../../src/ledger/entries.ts'
import { dollars } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { storeVerificationKey } from '../../src/verification/createKey.ts'
import { setPrice } from '../../src/verification/prices.ts'

/** Of the demo business: keys of the verification area. */
export interface VerificationKeys {
  secret: string
  publishable: string
}

/** Millionths of a US dollar. */
const credit = 100_000_000n

const prices = [
  { product: 'verification', country: 'NG', idType: 'passport', price: '0.5' },
  { product: 'verification', country: 'NG', idType: 'national_id', price: '0.3' },
  { product: 'assessment', price: '0.2' },
  { product: 'decision', price: '0.05' },
] as const

/**
 * Prices, credit and keys, where the demo business has no keys yet. `origin` may use the publishable one.
 * Returns those that an earlier start made otherwise.
 */
export async function seedVerification(
  db: Db,
  businessId: string,
  origin: string,
  known: VerificationKeys | null,
): Promise<VerificationKeys> {
  const existing = await db.query('select 1 from verification_keys where business_id = $1 limit 1', [
    businessId,
  ])
  if (known && existing.length > 0) return known
  for (const price of prices) await setPrice({ db }, systemActor('npm start'), price)
  return db.tx(async (tx) => {
    await post(tx, [
      adjusted({
        cause: { kind: 'adjustment', id: newId() },
        step: 1,
        debit: platformAccount('capital', dollars),
        credit: { name: 'credit', businessId, asset: dollars },
        amount: credit,
      }),
    ])
    const secret = await storeVerificationKey(tx, 'test', businessId, null, { name: 'demo', kind: 'secret' })
    const publishable = await storeVerificationKey(tx, 'test', businessId, null, {
      name: 'demo web site',
      kind: 'publishable',
      origins: [origin],
    })
    return { secret: secret.secret.reveal(), publishable: publishable.secret.reveal() }
  })
}
