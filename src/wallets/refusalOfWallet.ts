import { signersOf } from '../chains/action.ts'
import type { Tx } from '../platform/db.ts'
import type { Intent } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentSigners {
    /** The treasury, with a stored wallet. */
    wallet: true
  }
}

/** @returns why a stored wallet does not sign an intent; null if it may. The wallet cannot change until the end of the transaction */
export async function refusalOfWallet(tx: Tx, row: Pick<Intent, 'walletId' | 'businessId' | 'chain' | 'status' | 'action'>): Promise<string | null> {
  const [wallet] = await tx.query<{ address: string; chain: string; businessId: string; archivedAt: Date | null }>(
    'select address, chain, business_id as "businessId", archived_at as "archivedAt" from wallets where id = $1 for share',
    [row.walletId],
  )
  if (!wallet || wallet.businessId !== row.businessId) return "the wallet is not the business's"
  // A sent one may still get a higher fee.
  if (wallet.archivedAt !== null && row.status === 'created') return 'the wallet is archived'
  if (signersOf(row.action).length > 1) return 'a wallet signs alone'
  return wallet.chain === row.chain && wallet.address === row.action.from ? null : 'the wallet is of another address'
}
