import type { Db, Tx } from '../platform/database/db.ts'
import type { KeyProvider } from './keyProvider.ts'
import { sealWallet } from './sealWallet.ts'
import { currentWalletKey, type WalletPublicKey } from './walletKeyPair.ts'
import { openWalletKeys, storeWalletKey, type WalletOpener } from './walletKeys.ts'
import type { SealedWallet } from './walletSeal.ts'

const batchSize = 100

export interface Resealed {
  resealed: number
  /** Wallets that cannot be opened: they and the key that they are sealed to stay. */
  unopened: string[]
}

/** Creates a new key pair, reseals every wallet to it, and deletes the old private key. Treasury only. */
export async function rollWalletKey(ctx: { db: Db; keyProvider: KeyProvider }): Promise<Resealed> {
  await openWalletKeys(ctx)
  await ctx.db.tx(async (tx) => {
    // A concurrent roll waits here, finds no key to retire and uses the new one.
    await tx.query('update wallet_keys set retired_at = now() where retired_at is null')
    await storeWalletKey(ctx, tx)
  })
  return finishRoll(ctx)
}

/**
 * Reseals the wallets of retired keys, and deletes retired keys without wallets; also after an interrupted
 * roll.
 */
export async function finishRoll(ctx: { db: Db; keyProvider: KeyProvider }): Promise<Resealed> {
  const opener = await openWalletKeys(ctx)
  const total: Resealed = { resealed: 0, unopened: [] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const batch = await ctx.db.tx((tx) => resealBatch(tx, opener, after))
    total.resealed += batch.resealed
    total.unopened.push(...batch.unopened)
    if (batch.last === undefined) break
    after = batch.last
  }
  await ctx.db.tx(async (tx) => {
    // Storing a wallet locks its key (`currentWalletKey`): it commits before this lock is granted, so the
    // delete sees it.
    await tx.query('select id from wallet_keys where retired_at is not null for update')
    await tx.query(
      'delete from wallet_keys k where retired_at is not null and not exists (select from wallets where key_id = k.id)',
    )
  })
  return total
}

async function resealBatch(
  tx: Tx,
  opener: WalletOpener,
  after: string,
): Promise<Resealed & { last: string | undefined }> {
  const key = await currentWalletKey(tx)
  const wallets = await tx.query<SealedWallet>(
    `select id, business_id as "businessId", chain, address, key_id as "keyId", sealed from wallets
     where key_id <> $1 and id > $2 order by id limit $3 for update`,
    [key.id, after, batchSize],
  )
  const unopened: string[] = []
  for (const wallet of wallets) if (!(await reseal(tx, opener, key, wallet))) unopened.push(wallet.id)
  return { resealed: wallets.length - unopened.length, unopened, last: wallets.at(-1)?.id }
}

/** @returns false where it cannot be opened */
async function reseal(
  tx: Tx,
  opener: WalletOpener,
  key: WalletPublicKey,
  wallet: SealedWallet,
): Promise<boolean> {
  const secrets = await opener.open(wallet).catch(() => null)
  if (!secrets) return false
  const sealed = await sealWallet(key.publicKey, wallet, secrets)
  // The old key will be deleted: verify that the result opens.
  await opener.open({ ...wallet, keyId: key.id, sealed })
  await tx.query('update wallets set key_id = $2, sealed = $3 where id = $1', [wallet.id, key.id, sealed])
  return true
}
