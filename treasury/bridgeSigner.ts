import { eventAccountId } from '../src/bridge/eventAccounts.ts'
import { signersOf } from '../src/chains/action.ts'
import type { PlatformKeys } from '../src/custody/platformAddresses.ts'
import type { WalletOpener } from '../src/custody/walletKeys.ts'
import type { Tx } from '../src/platform/database/db.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { Intent } from '../src/txmgr/intents.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'
import { openWallet, refusalOfWallet } from './walletSigner.ts'

/**
 * Signs burns on Solana: with a stored wallet, and with the key of the burn's event account. That key is
 * derived from the seed: the row of the account only has the id to try.
 */
export const bridgeSigner = (
  wallets: WalletOpener,
  keys: Pick<PlatformKeys, 'eventAccount'>,
): IntentSigner => ({
  name: 'bridge',
  refusal: async (tx, row) =>
    (await refusalOfWallet(tx, row, 1)) ??
    ((await eventKey(tx, keys, row)) ? null : 'its event account is not of this seed'),
  async open(tx, row) {
    const key = await eventKey(tx, keys, row)
    if (!key) throw new Error(`the event account of ${row.id} is not of this seed`)
    return [await openWallet(tx, wallets, row.walletId ?? ''), key]
  },
})

async function eventKey(
  tx: Tx,
  keys: Pick<PlatformKeys, 'eventAccount'>,
  { action }: Pick<Intent, 'action'>,
): Promise<Secret | null> {
  const address = signersOf(action)[1]
  const id = address === undefined ? null : await eventAccountId(tx, address)
  if (id === null) return null
  const key = keys.eventAccount(id)
  return key.address === address ? key.privateKey : null
}
