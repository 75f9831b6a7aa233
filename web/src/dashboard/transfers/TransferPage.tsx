import { useState } from 'react'
import { Link } from 'wouter'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { useBusiness } from '../business/business.ts'
import { SessionDeliveries } from '../posSessions/SessionDeliveries.tsx'
import { StateLine } from '../posSessions/StateLine.tsx'
import { useExplorers } from '../posSessions/useExplorers.ts'
import { useRepeated } from '../posSessions/useLiveSession.ts'
import { ApprovalLine } from './ApprovalLine.tsx'
import { CancelTransferDialog } from './CancelTransferDialog.tsx'
import { transfersPath } from './paths.ts'
import { TransferFacts } from './TransferFacts.tsx'
import { transferState } from './transferState.ts'
import { transferTimeline } from './transferTimeline.ts'
import { useTransfer } from './useTransfer.ts'

const refreshMs = 2000

/** One transfer, as it is now: its state, what happened, and what your server was told. */
export function TransferPage({ transferId }: { transferId: string }) {
  const { business, owns } = useBusiness()
  const [cancelling, setCancelling] = useState(false)
  const explorers = useExplorers()
  const loaded = useTransfer(transferId)
  const ready = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const transfer = ready?.transfer
  const isOver =
    transfer !== undefined &&
    transfer.status !== 'pending' &&
    ready?.deliveries.every(({ status }) => status !== 'pending') === true
  useRepeated(transfer !== undefined && !isOver, loaded.reload, refreshMs)
  const cancellable =
    owns && transfer?.status === 'pending' && transfer.walletId !== null && transfer.reason !== 'cancelling'
  return (
    <Page
      title={transfer ? `Transfer of ${transfer.amount} ${transfer.symbol}` : 'Transfer'}
      tab={`Transfer · ${business.name}`}
      lead={<Link href={transfersPath(business.id)}>All transfers</Link>}
      actions={
        <ActionMenu
          actions={
            cancellable
              ? [{ label: 'Cancel transfer', danger: true, onChoose: () => setCancelling(true) }]
              : []
          }
        />
      }
    >
      <Loaded of={loaded}>
        {(value) => (
          <>
            <StateLine state={transferState(value.transfer)} liveness="polling" isOver={isOver} />
            <ApprovalLine transfer={value.transfer} />
            <Section title="Details">
              <TransferFacts transfer={value.transfer} explorers={explorers} />
            </Section>
            <Section title="What happened">
              <Timeline label="What happened" happenings={transferTimeline(value.transfer)} />
            </Section>
            {value.deliveries.length > 0 && (
              <Section title="Webhooks" lead="What your server was told about this transfer.">
                <SessionDeliveries deliveries={value.deliveries} urls={value.urls} />
              </Section>
            )}
          </>
        )}
      </Loaded>
      {cancelling && transfer && (
        <CancelTransferDialog
          transfer={transfer}
          onClose={() => setCancelling(false)}
          onDone={loaded.reload}
        />
      )}
    </Page>
  )
}
