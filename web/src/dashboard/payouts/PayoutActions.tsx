import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { isOpen } from './payoutLabels.ts'
import type { Payout } from './types.ts'

export type PayoutAction = 'approve' | 'cancel' | 'confirm' | 'mark'

interface Props {
  payout: Payout
  onChoose: (action: PayoutAction) => void
}

/** What the member may do with a payout now. */
export function PayoutActions({ payout, onChoose }: Props) {
  const { owns, develops } = useBusiness()
  if (!isOpen(payout)) return null
  return (
    <>
      {owns && payout.status === 'awaiting_approval' && payout.batchId === undefined && (
        <Approve payout={payout} onChoose={onChoose} />
      )}
      {develops && payout.status === 'pending' && payout.reason === 'price_changed' && (
        <button type="button" className="button primary" onClick={() => onChoose('confirm')}>
          Confirm price
        </button>
      )}
      {owns && (
        <button type="button" className="button" onClick={() => onChoose('mark')}>
          Mark as paid
        </button>
      )}
      {develops && (
        <button type="button" className="button danger" onClick={() => onChoose('cancel')}>
          Cancel payout
        </button>
      )}
    </>
  )
}

/** As many as the API lists at once. */
const maxListed = 100

/** Only for an owner who did not request it. */
function Approve({ payout, onChoose }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const query = { waiting: true, limit: maxListed }
  const { now } = useLoaded(`${business.id} ${payout.id}`, (signal) =>
    api.call('listApprovals', { path: { businessId: business.id }, query, signal }),
  )
  const approvals = now.state === 'ready' ? now.value.approvals : []
  // Past the first page the API still refuses the owner who requested it.
  const isOwn = approvals.find(({ id }) => id === payout.approval?.id)?.own ?? false
  if (now.state === 'loading') return null
  if (isOwn) return <span className="fine">You requested it: another owner has to approve it.</span>
  return (
    <button type="button" className="button primary" onClick={() => onChoose('approve')}>
      Approve
    </button>
  )
}
