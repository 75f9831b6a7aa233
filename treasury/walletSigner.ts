import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { SealedWallet } from '../src/custody/walletSeal.ts'
import type { Tx } from '../src/platform/db.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'
import { refusalOfWallet } from '../src/wallets/refusalOfWallet.ts'

/** Signs with stored wallets of businesses. */
export const walletSigner = (wallets: WalletOpener): IntentSigner => ({
  name: 'wallet',
  refusal: refusalOfWallet,
  open: async (tx, { walletId }) => [await openWallet(tx, wallets, walletId ?? '')],
})

async function openWallet(tx: Tx, wallets: WalletOpener, id: string): Promise<Secret> {
  const [wallet] = await tx.query<SealedWallet>(
    'select id, business_id as "businessId", chain, address, key_id as "keyId", sealed from wallets where id = $1',
    [id],
  )
  if (!wallet) throw new Error(`wallet ${id} does not exist`)
  return (await wallets.open(wallet)).privateKey
}
