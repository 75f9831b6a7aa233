import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { OperatedBusiness, OperatedTransfer } from '../types.ts'

interface Props {
  business: OperatedBusiness
  transfer: OperatedTransfer
  onClose: () => void
  onGivenUp: () => void
}

export function GiveUpDialog({
  business,
  transfer: { id, amount, symbol, chain, toAddress, createdAt },
  onClose,
  onGivenUp,
}: Props) {
  const api = useApi()
  const notify = useNotify()
  async function giveUp(): Promise<void> {
    await api.call('giveUpTransfer', { path: { businessId: business.id, transferId: id } })
    onGivenUp()
    onClose()
    notify('The transfer is given up. It will not be sent.')
  }
  return (
    <ConfirmDialog title="Give up this transfer?" confirm="Give up transfer" onClose={onClose} act={giveUp}>
      <p>
        {amount} {symbol} on {chainLabel(chain)} to <code>{toAddress}</code>, requested on{' '}
        <Time at={createdAt} />.
      </p>
      <p>
        It will not be sent, even when {business.name} is approved again. The business is notified that it has
        failed. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
