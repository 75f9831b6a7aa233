import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { unansweredText } from '../formKeys.ts'
import { useApi } from '../session/session.ts'
import { Place } from './BridgeFacts.tsx'
import { durationText } from './bridgeLabels.ts'
import type { BridgeTransfer, EstimatedBridge } from './types.ts'

interface Props {
  estimated: EstimatedBridge
  /** Of what was entered: repeated, it creates nothing twice, also at another fee. */
  idempotencyKey: string
  onBack: () => void
  onCreated: (transfer: BridgeTransfer) => void
}

/**
 * Shows the fee, the time and what arrives, before anything is stored. Circle keeps no more than is shown.
 */
export function ConfirmBridgeDialog({
  estimated: { request, estimate },
  idempotencyKey,
  onBack,
  onCreated,
}: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const { amount, fee, maxFee, minReceived, usualSeconds, networkCosts } = estimate
  async function create(): Promise<void> {
    const body = { ...request, maxFee }
    const sending = api.call('createBridgeTransferOfBusiness', {
      path: { businessId: business.id },
      body,
      idempotencyKey,
    })
    const made = await sending.catch((error: unknown) => {
      throw unansweredText(error, 'bridge transfer')
    })
    onCreated(made)
    const waits = made.delay === 'awaiting_approval'
    notify(
      waits
        ? 'The bridge transfer is created. A second owner has to approve it.'
        : 'The bridge transfer is created.',
    )
  }
  const facts: [string, ReactNode][] = [
    ['Amount', `${amount} USDC`],
    ['Fee', fee === maxFee ? `${fee} USDC` : `${fee} USDC, ${maxFee} USDC at most`],
    ['Arrives', `At least ${minReceived} USDC`],
    ['Takes', durationText(usualSeconds)],
    ['From', <Place key="from" chain={request.sourceChain} address={request.sourceAddress} />],
    ['To', <Place key="to" chain={request.destinationChain} address={request.destinationAddress} />],
    ['Network fee', `About ${networkCosts.expected} ${networkCosts.currency}, paid by the wallet`],
  ]
  return (
    <ConfirmDialog title="Bridge this?" confirm="Bridge" danger={false} onClose={onBack} act={create}>
      <Facts facts={facts} />
    </ConfirmDialog>
  )
}
