import { randomBytes } from 'node:crypto'
import type { Memo } from '../../src/chains/chain.ts'
import type { Prover } from '../../src/custody/proof.ts'
import { destinationMessage, type ProvenDestination } from '../../src/destinations/destinationProof.ts'
import { sealAccount } from '../../src/destinations/sealedAccount.ts'
import type { Queryable } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { provers } from './intentKeys.ts'
import { appKey } from './template.ts'

/** A bank account, or a wallet: by default on ethereum, at an address of its own. */
export type WantedDestination =
  | 'bank'
  | { chain?: string; address?: string; memo?: Memo | null; usableFrom?: Date }

/**
 * A saved destination of a business, with the proof of the api. By default it may be paid at once. @returns
 * its id
 */
export async function makeDestination(
  db: Queryable,
  businessId: string,
  wanted: WantedDestination = {},
): Promise<string> {
  const id = newId()
  const isBank = wanted === 'bank'
  const {
    chain = 'ethereum',
    address = newAddress(),
    memo = null,
    usableFrom = new Date(Date.now() - 1000),
  } = isBank ? {} : wanted
  const wallet = isBank ? [null, null, null, null] : [chain, address, memo?.value ?? null, memo?.type ?? null]
  const bank = isBank
    ? ['bank', 'A Bank', 'NG', 'NGN', sealedAccount(id, businessId)]
    : [null, null, null, null, null]
  await db.query(
    `insert into payout_destinations (id, business_id, kind, fingerprint, usable_from, chain, address, memo, memo_type, network_id, bank_name, country,
       currency, sealed_account)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [id, businessId, isBank ? 'bank' : 'wallet', randomBytes(32), usableFrom, ...wallet, ...bank],
  )
  await proveDestination(db, id)
  return id
}

/** Proves a destination, as the api does. */
export async function proveDestination(
  db: Queryable,
  id: string,
  prover: Prover = provers.api,
): Promise<void> {
  const [row] = await db.query<ProvenDestination>(
    `select id, business_id as "businessId", kind, network_id as "networkId", currency, chain, address, memo, memo_type as "memoType",
       usable_from as "usableFrom" from payout_destinations where id = $1`,
    [id],
  )
  if (row)
    await db.query('update payout_destinations set proof = $2 where id = $1', [
      id,
      prover.prove(destinationMessage(row)),
    ])
}

/** Its cooling-off is over, with the api's proof. */
export async function makeUsable(db: Queryable, id: string): Promise<void> {
  await db.query(
    "update payout_destinations set usable_from = date_trunc('milliseconds', now()) where id = $1",
    [id],
  )
  await proveDestination(db, id)
}

const newAddress = () => `0x${newId().replaceAll('-', '')}000000aa`
const sealedAccount = (id: string, businessId: string) =>
  sealAccount(
    new Secret(appKey),
    { id, businessId, networkId: 'bank' },
    { number: new Secret('0123456789'), holder: 'Ada Stores' },
  )
