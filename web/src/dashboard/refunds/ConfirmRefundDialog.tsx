import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useBusiness } from '../business/business.ts'
import { unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { type RefundDraft, refusalText } from './refundForm.ts'
import type { Refund } from './types.ts'

interface Props {
  sessionId: string
  draft: RefundDraft
  idempotencyKey: string
  onBack: () => void
  onCreated: (refund: Refund) => void
}

/** Shows what was entered once more: what is sent does not come back. */
export function ConfirmRefundDialog({
  sessionId,
  draft: { body, amount },
  idempotencyKey,
  onBack,
  onCreated,
}: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function create(): Promise<void> {
    const refund = await api
      .call('createRefundOfBusiness', {
        path: { businessId: business.id, id: sessionId },
        body,
        idempotencyKey,
      })
      .catch((error: unknown) => {
        throw refusalText(unansweredText(error, 'refund'))
      })
    onCreated(refund)
  }
  const { chain, token, toAddress, memo, memoType } = body
  const facts: [string, ReactNode][] = [
    ['Amount', `${amount} ${token} on ${chainLabel(chain ?? '')}`],
    [
      'To',
      toAddress === undefined ? 'An address that your customer names' : <code key="to">{toAddress}</code>,
    ],
    ...(memo === undefined ? [] : [['Memo', `${memo} (${memoType})`] satisfies [string, ReactNode]]),
  ]
  return (
    <ConfirmDialog
      title="Refund this?"
      confirm={toAddress === undefined ? 'Make the link' : 'Refund'}
      danger={false}
      onClose={onBack}
      act={create}
    >
      <Facts facts={facts} />
      <p>
        {toAddress === undefined
          ? 'The money is held until your customer has named an address. Anyone who has the link can name it.'
          : 'Compare the address with the one that your customer gave you. What was sent does not come back.'}
      </p>
    </ConfirmDialog>
  )
}
