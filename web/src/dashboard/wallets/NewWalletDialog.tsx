import { useState } from 'react'
import { PhraseDialog } from './PhraseDialog.tsx'
import type { MadeWallet, Wallet } from './types.ts'
import { WalletFormDialog } from './WalletFormDialog.tsx'

interface Props {
  onClose: () => void
  onStored: (wallet: Wallet) => void
}

/** First what the wallet is; for a new one then its phrase, which is stored once it was written down. */
export function NewWalletDialog({ onClose, onStored }: Props) {
  const [made, setMade] = useState<MadeWallet>()
  if (made) return <PhraseDialog made={made} onClose={onClose} onStored={onStored} />
  return <WalletFormDialog onClose={onClose} onMade={setMade} onStored={onStored} />
}
