import { CowryError } from '../../../../client/index.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { PlainProblem } from '../../ui/plainError.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { ApprovalSubject, subjectLabel } from './ApprovalSubject.tsx'
import type { SendApproval } from './types.ts'

interface Props {
  approval: SendApproval
  decision: 'approved' | 'refused'
  onClose: () => void
  /** It was decided, or what it is about has changed since it was loaded: loads it again. */
  onDecided: () => Promise<void>
}

const outcomes: Record<SendApproval['subject'] | 'refund' | 'batch', { approved: string; refused: string }> =
  {
    transfer: {
      approved: 'The transfer is approved. It is sent now.',
      refused: 'The transfer is refused. Nothing is sent.',
    },
    'bridge-burn': {
      approved: 'The bridge transfer is approved. It is sent now.',
      refused: 'The bridge transfer is refused. Nothing is sent.',
    },
    payout: {
      approved: 'The payout is approved. It is sent now.',
      refused: 'The payout is refused. Its money is available again.',
    },
    batch: {
      approved: 'The batch is approved. Its payouts are sent now.',
      refused: 'The batch is refused. Its money is available again.',
    },
    refund: {
      approved: 'The refund is approved. It is sent now.',
      refused: 'The refund is refused. Its money is available again.',
    },
    destination: {
      approved: 'The destination is approved.',
      refused: 'The destination is refused, and archived.',
    },
    limits: {
      approved: 'The limits are approved. They apply when the cooling-off time has passed.',
      refused: 'The limits are refused. They stay as they are.',
    },
    setting: {
      approved: 'The settings are approved. They apply when the cooling-off time has passed.',
      refused: 'The settings are refused. They stay as they are.',
    },
    owner: { approved: 'The owner is approved.', refused: 'The owner is refused. The role stays as it is.' },
  }

export function DecideDialog({ approval, decision, onClose, onDecided }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  const verb = decision === 'approved' ? 'Approve' : 'Refuse'
  const word = subjectLabel(approval)
  async function decide(): Promise<void> {
    // A payout or a refund is approved as it was seen.
    const { revision } = approval.payout ?? approval.batch ?? approval.refund ?? {}
    const seen = revision === undefined ? {} : { revision }
    try {
      await api.call('decideApproval', {
        path: { businessId: business.id, approvalId: approval.id },
        body: { decision, ...seen },
      })
    } catch (error) {
      if (!(error instanceof CowryError) || error.code !== 'revision_outdated') throw error
      // Before the message: who presses at once decides about what the page shows by then.
      await onDecided()
      throw new PlainProblem(`The ${word} has changed. It is loaded again: check it before you decide.`)
    }
    await onDecided()
    onClose()
    const about = approval.batch ? 'batch' : approval.subject
    notify(outcomes[approval.refund ? 'refund' : about][decision])
  }
  return (
    <ConfirmDialog
      title={`${verb} this ${word}?`}
      confirm={`${verb} ${word}`}
      danger={decision === 'refused'}
      onClose={onClose}
      act={decide}
    >
      <div className="decided-on">
        <ApprovalSubject approval={approval} />
      </div>
      <p>Requested by {approval.askedBy}.</p>
      {decision === 'approved' && <p>This is final. The member who requested it cannot approve it.</p>}
    </ConfirmDialog>
  )
}
