import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useRepeated } from '../posSessions/useLiveSession.ts'
import { useApi } from '../session/session.ts'
import { transferPath } from '../transfers/paths.ts'
import { SendDialog } from '../transfers/SendDialog.tsx'
import { ArchiveWalletDialog } from './ArchiveWalletDialog.tsx'
import { BalanceSection } from './BalanceSection.tsx'
import { walletsPath } from './paths.ts'
import { RenameWalletDialog } from './RenameWalletDialog.tsx'
import type { SendingWallet } from './types.ts'
import { WalletFacts } from './WalletFacts.tsx'
import { WalletLimits } from './WalletLimits.tsx'
import { WalletPanel } from './WalletPanel.tsx'
import { walletName } from './WalletTable.tsx'
import { WalletTransfers } from './WalletTransfers.tsx'

const listed = 10

/** One stored wallet: its address, what it holds, its limits, and what was sent from it. */
export function WalletPage({ walletId }: { walletId: string }) {
  const api = useApi()
  const { business, owns, develops } = useBusiness()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<'send' | 'rename' | 'archive'>()
  const path = { businessId: business.id }
  const loaded = useLoaded(`${business.id} ${walletId}`, async (signal) => {
    const [wallet, { wallets }] = await Promise.all([
      api.call('getWalletOfBusiness', { path: { ...path, id: walletId }, signal }),
      api.call('listSenders', { path, signal }),
    ])
    return { wallet, limits: wallets.find(({ id }) => id === walletId) }
  })
  const wallet = loaded.now.state === 'ready' ? loaded.now.value.wallet : undefined
  const transfers = useLoaded(`${business.id} ${walletId}`, (signal) =>
    api.call('listTransfersOfBusiness', { path, query: { walletId, limit: listed }, signal }),
  )
  const isSending =
    transfers.now.state === 'ready' &&
    transfers.now.value.transfers.some(({ status }) => status === 'pending')
  useRepeated(isSending, transfers.reload)
  /** Where the wallet could not be read, its transfers could not either. */
  function reloadAll(): void {
    loaded.reload()
    transfers.reload()
  }
  const close = () => setOpen(undefined)
  function closeAndReload(): void {
    close()
    // There may be a new transfer whose answer was lost.
    transfers.reload()
  }
  return (
    <Page
      title={wallet ? walletName(wallet) : 'Wallet'}
      tab={`${wallet ? walletName(wallet) : 'Wallet'} · ${business.name}`}
      lead={<Link href={walletsPath(business.id)}>All wallets</Link>}
      actions={
        wallet && (
          <>
            {owns && !wallet.archivedAt && (
              <button type="button" className="button primary" onClick={() => setOpen('send')}>
                Send
              </button>
            )}
            <ActionMenu
              actions={
                develops
                  ? [
                      { label: 'Change the label', onChoose: () => setOpen('rename') },
                      ...(wallet.archivedAt
                        ? []
                        : [{ label: 'Archive', danger: true, onChoose: () => setOpen('archive') }]),
                    ]
                  : []
              }
            />
          </>
        )
      }
    >
      <Loaded of={{ ...loaded, reload: reloadAll }}>
        {(value) => (
          <>
            <WalletPanel wallet={value.wallet} />
            <WalletBalanceSection
              key={String(isSending)}
              chain={value.wallet.chain}
              address={value.wallet.address}
            />
            <WalletTransfers
              of={transfers}
              walletId={walletId}
              mayGetMore={owns && !value.wallet.archivedAt}
            />
            {value.limits && <WalletLimits wallet={value.limits} />}
            <WalletFacts wallet={value.wallet} />
          </>
        )}
      </Loaded>
      {open === 'send' && wallet && (
        <SendDialog
          wallet={wallet}
          limits={limitsIn(loaded.now)}
          onClose={closeAndReload}
          onSent={({ id }) => navigate(transferPath(business.id, id))}
        />
      )}
      {open === 'rename' && wallet && (
        <RenameWalletDialog wallet={wallet} onClose={close} onRenamed={loaded.reload} />
      )}
      {open === 'archive' && wallet && (
        <ArchiveWalletDialog wallet={wallet} onClose={close} onArchived={loaded.reload} />
      )}
    </Page>
  )
}

const limitsIn = (now: { state: string; value?: { limits: SendingWallet | undefined } }) => now.value?.limits

/** Read again when what was being sent has left. */
function WalletBalanceSection({ chain, address }: { chain: SendingWallet['chain']; address: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const balance = useLoaded(`${chain} ${address}`, (signal) =>
    api.call('readBalanceOfBusiness', {
      path: { businessId: business.id },
      body: { chain, address },
      signal,
    }),
  )
  return <BalanceSection of={balance} />
}
