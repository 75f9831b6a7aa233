import type { Tx } from '../platform/database/db.ts'
import { BaseError } from '../platform/errors.ts'

/** More than any address has waiting; bounds the loop. */
const maxTries = 1000

interface NonceOwner {
  chain: string
  address: string
  intentId: string
}

/**
 * Assigns the next nonce to a transaction: claims the lowest free nonce of an address for an intent.
 * Concurrent claims wait for the end of this database transaction and get another one; a rollback leaves no
 * gap.
 * @param from the lowest nonce that the chain allows, which counts transactions sent by other wallets too
 * @throws Error after 1000 tries
 */
export async function claimNonce(tx: Tx, owner: NonceOwner, from: bigint): Promise<bigint> {
  const { chain, address, intentId } = owner
  for (let tries = 0; tries < maxTries; tries++) {
    const [claimed] = await tx.query<{ nonce: string }>(
      `with taken as (select nonce from intent_nonces where chain = $1 and address = $2 and nonce >= $3)
       insert into intent_nonces (chain, address, nonce, intent_id)
       select $1, $2, min(free), $4
       from (select $3::numeric as free union all select nonce + 1 from taken) as candidates
       where not exists (select 1 from taken where nonce = free)
       on conflict do nothing returning nonce`,
      [chain, address, from.toString(), intentId],
    )
    if (claimed) return BigInt(claimed.nonce)
  }
  throw new Error(`no free nonce for ${address} on ${chain} from ${from} on`)
}

/** Another intent has the nonce. */
export class NonceTakenError extends BaseError {
  readonly code = 'nonce_taken'
  readonly retry = 'no'
}

/** Claims this nonce and no other. @throws NonceTakenError */
export async function claimExactly(
  tx: Tx,
  { chain, address, intentId }: NonceOwner,
  nonce: bigint,
): Promise<bigint> {
  const claimed = await tx.query(
    'insert into intent_nonces (chain, address, nonce, intent_id) values ($1, $2, $3, $4) on conflict do nothing returning nonce',
    [chain, address, nonce.toString(), intentId],
  )
  if (claimed.length === 0) throw new NonceTakenError(`another intent has nonce ${nonce} of ${address}`)
  return nonce
}
