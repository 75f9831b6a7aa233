import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { Wallet } from './types.ts'

interface Props {
  wallet: Wallet
  onClose: () => void
  onArchived: () => void
}

export function ArchiveWalletDialog({ wallet, onClose, onArchived }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function archive(): Promise<void> {
    await api.call('archiveWalletOfBusiness', { path: { businessId: business.id, id: wallet.id } })
    onArchived()
    onClose()
    notify('The wallet is archived.')
  }
  return (
    <ConfirmDialog title="Archive this wallet?" confirm="Archive wallet" onClose={onClose} act={archive}>
      <p>
        Nothing new is sent from it; what was requested goes on. What it holds stays at its address. To send
        it later you need its recovery phrase or private key, to store the wallet again.
      </p>
    </ConfirmDialog>
  )
}
