import { useState } from 'react'
import { createFormKeys } from '../formKeys.ts'
import type { SendingWallet, Wallet } from '../wallets/types.ts'
import { ConfirmSendDialog } from './ConfirmSendDialog.tsx'
import { SendFormDialog } from './SendFormDialog.tsx'
import type { EstimatedTransfer, SendDraft } from './sendForm.ts'
import type { Transfer } from './types.ts'

interface Props {
  wallet: Wallet
  /** Undefined: the wallet has none. */
  limits: SendingWallet | undefined
  onClose: () => void
  onSent: (transfer: Transfer) => void
}

/** First the form, then what leaves and to whom. */
export function SendDialog({ wallet, limits, onClose, onSent }: Props) {
  const [keyOf] = useState(() => createFormKeys())
  const [draft, setDraft] = useState<SendDraft>()
  const [estimated, setEstimated] = useState<EstimatedTransfer>()
  /** Amounts whose answer was lost, by what was entered: repeated, `all` must not become another amount. */
  const [unanswered] = useState(() => new Map<string, string>())
  if (estimated)
    return (
      <ConfirmSendDialog
        wallet={wallet}
        limits={limits}
        estimated={estimated}
        idempotencyKey={keyOf({ ...estimated.draft, amount: estimated.amount })}
        onBack={() => setEstimated(undefined)}
        onSent={onSent}
        onUnanswered={() => unanswered.set(JSON.stringify(estimated.draft), estimated.amount)}
      />
    )
  return (
    <SendFormDialog
      wallet={wallet}
      draft={draft}
      knownAmount={(of) => unanswered.get(JSON.stringify(of))}
      onClose={onClose}
      onEstimated={(given) => {
        setDraft(given.draft)
        setEstimated(given)
      }}
    />
  )
}
