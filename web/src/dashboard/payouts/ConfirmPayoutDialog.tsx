import type { ReactNode } from 'react'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { PaidTo } from './PaidTo.tsx'
import type { PayoutDraft } from './payoutForm.ts'
import type { Destination, Payout } from './types.ts'

/** A payout that was entered, with its price. */
export interface PricedDraft {
  draft: PayoutDraft
  destination: Destination
  estimate: DashboardAnswerOf<'estimatePayout'>
}

interface Props {
  priced: PricedDraft
  /** Of what was entered: repeated, it creates nothing twice. */
  idempotencyKey: string
  onBack: () => void
  onCreated: (payout: Payout) => void
}

/** Shows the fee and what arrives, before anything is stored. */
export function ConfirmPayoutDialog({
  priced: { draft, destination, estimate },
  idempotencyKey,
  onBack,
  onCreated,
}: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const { amount, source, destinationId, reference } = draft
  async function create(): Promise<void> {
    const body = {
      amount,
      source,
      destination: { id: destinationId },
      ...(reference === undefined ? {} : { reference }),
    }
    const payout = await api
      .call('createPayoutOfBusiness', { path: { businessId: business.id }, body, idempotencyKey })
      .catch((error: unknown) => {
        throw unansweredText(error, 'payout')
      })
    onCreated(payout)
    notify(
      payout.status === 'awaiting_approval'
        ? 'The payout is created. A second owner has to approve it.'
        : 'The payout is created.',
    )
  }
  const facts: [string, ReactNode][] = [
    ['Amount', `${amount} ${source.token} on ${chainLabel(source.chain)}`],
    ['Fee', `${estimate.fee} ${estimate.feeCurrency}`],
    ...(estimate.rate === null
      ? []
      : [
          ['Rate', `${estimate.rate} ${estimate.receiveCurrency} for 1 ${source.token}`] satisfies [
            string,
            ReactNode,
          ],
        ]),
    ['Arrives', `${estimate.receiveAmount} ${estimate.receiveCurrency}`],
    ['To', <PaidTo key="to" destination={destination} />],
  ]
  return (
    <ConfirmDialog title="Pay this out?" confirm="Pay out" danger={false} onClose={onBack} act={create}>
      <Facts facts={facts} />
      {estimate.rate !== null && (
        <p className="fine">The rate is fixed when you confirm. It may have moved a little by then.</p>
      )}
      {estimate.needsApproval && <p>It waits until a second owner approves it.</p>}
      {destination.status === 'cooling_off' && (
        <p>
          It waits until <Time at={destination.usableFrom} />, when the destination can be used.
        </p>
      )}
    </ConfirmDialog>
  )
}
