import { signersOf } from '../src/chains/action.ts'
import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { SealedWallet } from '../src/custody/walletSeal.ts'
import type { Tx } from '../src/platform/database/db.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { Intent } from '../src/txmgr/intents.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'

/** Signs with stored wallets of businesses: decrypts a wallet's private key for each transaction. */
export const walletSigner = (wallets: WalletOpener): IntentSigner => ({
  name: 'wallet',
  refusal: (tx, row) => refusalOfWallet(tx, row),
  open: async (tx, { walletId }) => [await openWallet(tx, wallets, walletId ?? '')],
})

export async function openWallet(tx: Tx, wallets: WalletOpener, id: string): Promise<Secret> {
  const [wallet] = await tx.query<SealedWallet>(
    'select id, business_id as "businessId", chain, address, key_id as "keyId", sealed from wallets where id = $1',
    [id],
  )
  if (!wallet) throw new Error(`wallet ${id} does not exist`)
  return (await wallets.open(wallet)).privateKey
}

/**
 * The wallet cannot change until the end of the transaction.
 * @param cosigners keys that sign with it
 * @returns why a stored wallet does not sign an intent; null if it may
 */
export async function refusalOfWallet(
  tx: Tx,
  row: Pick<Intent, 'walletId' | 'businessId' | 'chain' | 'purpose' | 'status' | 'action'>,
  cosigners = 0,
): Promise<string | null> {
  const [wallet] = await tx.query<{
    address: string
    chain: string
    businessId: string
    archivedAt: Date | null
  }>(
    'select address, chain, business_id as "businessId", archived_at as "archivedAt" from wallets where id = $1 for share',
    [row.walletId],
  )
  if (!wallet || wallet.businessId !== row.businessId) return "the wallet is not the business's"
  // A sent one may still get a higher fee, a no-op is for those that were sent before, and a reclaim pays the
  // wallet itself.
  const ofArchived = row.status !== 'created' || row.purpose === 'noop' || row.purpose === 'bridge-reclaim'
  if (wallet.archivedAt !== null && !ofArchived) return 'the wallet is archived'
  if (signersOf(row.action).length !== 1 + cosigners)
    return cosigners === 0 ? 'a wallet signs alone' : `a wallet signs with ${cosigners} other key`
  return wallet.chain === row.chain && wallet.address === row.action.from
    ? null
    : 'the wallet is of another address'
}
