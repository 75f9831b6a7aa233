import { useState } from 'react'
import { useNotify } from '../../ui/Notices.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { createFormKeys } from '../formKeys.ts'
import { ConfirmRefundDialog } from './ConfirmRefundDialog.tsx'
import { RefundFormDialog } from './RefundFormDialog.tsx'
import type { Refundable } from './refundable.ts'
import type { RefundDraft } from './refundForm.ts'
import type { Refund } from './types.ts'

interface Props {
  sessionId: string
  offered: Refundable[]
  /** There may be a new refund, also where its answer was lost. */
  onClose: () => void
}

/** First the form, then what was entered to confirm, then the link, if one was made. */
export function NewRefundDialog({ sessionId, offered, onClose }: Props) {
  const notify = useNotify()
  const [keyOf] = useState(() => createFormKeys())
  const [draft, setDraft] = useState<RefundDraft>()
  const [confirming, setConfirming] = useState(false)
  const [made, setMade] = useState<Refund>()
  function created(refund: Refund): void {
    if (refund.claimUrl !== undefined) {
      setMade(refund)
      return
    }
    onClose()
    notify(outcomeOf(refund))
  }
  if (made)
    return (
      <SecretDialog
        title="The link for your customer"
        name="Link"
        secret={made.claimUrl ?? ''}
        onClose={onClose}
      >
        <p>
          It is shown only now. Send it to your customer; it works once
          {made.claim && (
            <>
              , until <Time at={made.claim.expiresAt} />
            </>
          )}
          .
        </p>
      </SecretDialog>
    )
  if (draft && confirming)
    return (
      <ConfirmRefundDialog
        sessionId={sessionId}
        draft={draft}
        idempotencyKey={keyOf(draft.body)}
        onBack={() => setConfirming(false)}
        onCreated={created}
      />
    )
  const filled = (given: RefundDraft) => {
    setDraft(given)
    setConfirming(true)
  }
  return <RefundFormDialog offered={offered} draft={draft} onClose={onClose} onFilled={filled} />
}

function outcomeOf({ amount, token, status, claim }: Refund): string {
  if (claim !== null)
    return 'The refund was created, but its link was lost with the answer. Cancel the refund and make another one.'
  const created = `The refund of ${amount} ${token} is created.`
  return status === 'awaiting_approval' ? `${created} A second owner has to approve it.` : created
}
