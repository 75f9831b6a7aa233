import type { ReactNode } from 'react'
import { ConnectionError } from '../../../../client/index.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { SendingWallet, Wallet } from '../wallets/types.ts'
import { type EstimatedTransfer, needsApproval } from './sendForm.ts'
import type { Transfer, TransferEstimate } from './types.ts'

interface Props {
  wallet: Wallet
  limits: SendingWallet | undefined
  estimated: EstimatedTransfer
  /** Of what was entered: repeated, it sends nothing twice. */
  idempotencyKey: string
  onBack: () => void
  onSent: (transfer: Transfer) => void
  onUnanswered: () => void
}

/** Shows what leaves, to whom, and what it costs, before anything is stored. */
export function ConfirmSendDialog({
  wallet,
  limits,
  estimated: { draft, amount, estimate },
  idempotencyKey,
  onBack,
  onSent,
  onUnanswered,
}: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const { fee, symbol, sufficient, missing } = estimate
  async function send(): Promise<void> {
    const sent = await api
      .call('sendFromWalletOfBusiness', {
        path: { businessId: business.id, id: wallet.id },
        body: { ...draft, amount },
        idempotencyKey,
      })
      .catch((error: unknown) => {
        if (error instanceof ConnectionError) onUnanswered()
        throw unansweredText(error, 'transfer')
      })
    onSent(sent)
    notify(
      sent.approval?.state === 'waiting'
        ? 'The transfer is stored. A second owner has to approve it.'
        : 'The transfer is on its way.',
    )
  }
  const facts: [string, ReactNode][] = [
    [
      'Leaves',
      <span className="strong" key="amount">
        {amount} {symbol}
      </span>,
    ],
    ['To', <code key="to">{draft.toAddress}</code>],
    ...(draft.memo === undefined
      ? []
      : [['Memo', `${draft.memo} (${draft.memoType})`] satisfies [string, ReactNode]]),
    ['Network', chainLabel(wallet.chain)],
    ['Network fee', feeText(fee)],
  ]
  return (
    <ConfirmDialog title="Send this?" confirm="Send" danger={false} onClose={onBack} act={send}>
      <Facts facts={facts} />
      {!sufficient && (
        <p className="notice warn">
          The wallet lacks {missing.map((each) => `${each.missing} ${each.symbol}`).join(' and ')}.
        </p>
      )}
      {needsApproval(limits, draft.token, amount) && (
        <p>It waits until a second owner approves it: it is above the limit of this wallet.</p>
      )}
      <p className="fine">What has left cannot be taken back. Compare the address once more.</p>
    </ConfirmDialog>
  )
}

function feeText({ expected, most, besides, currency }: TransferEstimate['fee']): string {
  const range =
    expected === most ? `${expected} ${currency}` : `About ${expected} ${currency}, ${most} at most`
  return /[1-9]/.test(besides) ? `${range}, and ${besides} ${currency} to open the account` : range
}
