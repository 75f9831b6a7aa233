import { useState } from 'react'
import { Link } from 'wouter'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useBusiness } from '../business/business.ts'
import { CancelRefundDialog } from '../refunds/CancelRefundDialog.tsx'
import { NewRefundDialog } from '../refunds/NewRefundDialog.tsx'
import type { Refund } from '../refunds/types.ts'
import { CancelPaymentDialog } from './CancelPaymentDialog.tsx'
import type { Resolution } from './DecisionNotice.tsx'
import { sessionsPath } from './paths.ts'
import { ResolveDialog } from './ResolveDialog.tsx'
import { SessionDetails } from './SessionDetails.tsx'
import { useLiveSession, useNow, useRepeated } from './useLiveSession.ts'
import { isOver, isSettling, useSession } from './useSession.ts'

type Open = 'refund' | 'cancel' | { resolve: Resolution } | { cancelRefund: Refund }

/** One payment, as it is now: what to pay, what came, what left, and when; a refund, and a decision. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const { business, develops } = useBusiness()
  const [open, setOpen] = useState<Open>()
  const loaded = useSession(sessionId)
  const ready = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const session = ready?.session
  const liveness = useLiveSession(session?.checkoutUrl, loaded.reload)
  useRepeated(ready !== undefined && isSettling(ready), loaded.reload)
  const now = useNow(session?.status === 'pending')
  const offered = ready?.refundable.filter((each) => each.now !== '0') ?? []
  const cancellable =
    session?.status === 'pending' && session.payments.every(({ status }) => status === 'reverted')
  const close = () => setOpen(undefined)
  function closeAndReload(): void {
    close()
    loaded.reload()
  }
  return (
    <Page
      title={session ? `Payment of ${session.amountExpected} ${session.token}` : 'Payment'}
      tab={`Payment · ${business.name}`}
      lead={<Link href={sessionsPath(business.id)}>All payments</Link>}
      actions={
        develops &&
        session && (
          <>
            {offered.length > 0 && (
              <button type="button" className="button" onClick={() => setOpen('refund')}>
                Refund
              </button>
            )}
            {cancellable && (
              <ActionMenu
                actions={[{ label: 'Cancel payment', danger: true, onChoose: () => setOpen('cancel') }]}
              />
            )}
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {(value) => (
          <SessionDetails
            loaded={value}
            liveness={liveness}
            isOver={isOver(value)}
            now={now}
            onResolve={(resolve) => setOpen({ resolve })}
            onCancelRefund={(cancelRefund) => setOpen({ cancelRefund })}
          />
        )}
      </Loaded>
      {open === 'refund' && (
        <NewRefundDialog sessionId={sessionId} offered={offered} onClose={closeAndReload} />
      )}
      {open === 'cancel' && (
        <CancelPaymentDialog sessionId={sessionId} onClose={close} onDone={loaded.reload} />
      )}
      {typeof open === 'object' && 'resolve' in open && (
        <ResolveDialog
          sessionId={sessionId}
          resolution={open.resolve}
          onClose={close}
          onDone={loaded.reload}
        />
      )}
      {typeof open === 'object' && 'cancelRefund' in open && (
        <CancelRefundDialog refund={open.cancelRefund} onClose={close} onDone={loaded.reload} />
      )}
    </Page>
  )
}
