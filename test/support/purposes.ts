import type { Tx } from '../../src/platform/database/db.ts'
import type { Secret } from '../../src/platform/secrets.ts'
import { transferPurpose } from '../../src/transfers/transferPurpose.ts'
import type { IntentPurpose, OnChange } from '../../src/txmgr/intents.ts'
import { noopPurpose } from '../../src/txmgr/noop.ts'
import type { IntentSigner } from '../../src/txmgr/signingPolicy.ts'
import { refusalOfWallet } from '../../treasury/walletSigner.ts'

/** Transfers with another hook, and no-ops. */
export const transfersWith = (onChange: OnChange = async () => {}): IntentPurpose[] => [
  { ...transferPurpose, onChange },
  noopPurpose,
]

export const transfers = { purposes: [transferPurpose] }

/** Stored wallets whose keys a test has. */
export const walletsWith = (open: (tx: Tx, walletId: string) => Promise<Secret>): IntentSigner[] => [
  {
    name: 'wallet',
    refusal: (tx, row) => refusalOfWallet(tx, row),
    open: async (tx, { walletId }) => [await open(tx, walletId ?? '')],
  },
]
