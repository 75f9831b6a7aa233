import type { Db, Tx } from '../platform/db.ts'
import { sealWallet } from '../wallets/sealWallet.ts'
import { currentWalletKey, type WalletPublicKey } from '../wallets/walletKeyPair.ts'
import type { KeyProvider } from './keyProvider.ts'
import { openWalletKeys, storeWalletKey, type WalletOpener } from './walletKeys.ts'
import type { SealedWallet } from './walletSeal.ts'

const batchSize = 100

export interface Resealed {
  resealed: number
  /** Wallets that cannot be opened: they stay as they are, and so does the key that they are sealed to. */
  unopened: string[]
}

/** Makes a new key pair and reseals every wallet to it; then the old one's private half is gone. The treasury alone can call it. */
export async function rollWalletKey(ctx: { db: Db; keyProvider: KeyProvider }): Promise<Resealed> {
  await openWalletKeys(ctx)
  await ctx.db.tx(async (tx) => {
    // Of two that roll at once the second waits here, finds nothing to retire and takes the first one's key.
    await tx.query('update wallet_keys set retired_at = now() where retired_at is null')
    await storeWalletKey(ctx, tx)
  })
  return finishRoll(ctx)
}

/** Reseals what is sealed to keys that were retired, and deletes those that nothing is sealed to: also after a roll that was cut short. */
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
    // Whoever stores a wallet holds its key (`currentWalletKey`): it is committed before the key is ours, and seen by what follows.
    await tx.query('select id from wallet_keys where retired_at is not null for update')
    await tx.query('delete from wallet_keys k where retired_at is not null and not exists (select from wallets where key_id = k.id)')
  })
  return total
}

async function resealBatch(tx: Tx, opener: WalletOpener, after: string): Promise<Resealed & { last: string | undefined }> {
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
async function reseal(tx: Tx, opener: WalletOpener, key: WalletPublicKey, wallet: SealedWallet): Promise<boolean> {
  const secrets = await opener.open(wallet).catch(() => null)
  if (!secrets) return false
  const sealed = await sealWallet(key.publicKey, wallet, secrets)
  // The old key will be gone: what is written must open.
  await opener.open({ ...wallet, keyId: key.id, sealed })
  await tx.query('update wallets set key_id = $2, sealed = $3 where id = $1', [wallet.id, key.id, sealed])
  return true
}
