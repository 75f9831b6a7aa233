import { useState } from 'react'
import { createFormKeys } from '../formKeys.ts'
import { ConfirmPayoutDialog, type PricedDraft } from './ConfirmPayoutDialog.tsx'
import { PayoutFormDialog } from './PayoutFormDialog.tsx'
import type { PayoutDraft } from './payoutForm.ts'
import type { Payout } from './types.ts'

interface Props {
  onClose: () => void
  onCreated: (payout: Payout) => void
}

/** First the form, then the price to confirm. */
export function NewPayoutDialog({ onClose, onCreated }: Props) {
  const [keyOf] = useState(() => createFormKeys())
  const [draft, setDraft] = useState<PayoutDraft>()
  const [priced, setPriced] = useState<PricedDraft>()
  if (priced)
    return (
      <ConfirmPayoutDialog
        priced={priced}
        idempotencyKey={keyOf(priced.draft)}
        onBack={() => setPriced(undefined)}
        onCreated={onCreated}
      />
    )
  const next = (given: PricedDraft) => {
    setDraft(given.draft)
    setPriced(given)
  }
  return <PayoutFormDialog draft={draft} onClose={onClose} onPriced={next} />
}
