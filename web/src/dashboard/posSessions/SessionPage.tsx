import { useState } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { PayoutTable } from '../payouts/PayoutTable.tsx'
import { CancelRefundDialog } from '../refunds/CancelRefundDialog.tsx'
import { NewRefundDialog } from '../refunds/NewRefundDialog.tsx'
import { RefundTable } from '../refunds/RefundTable.tsx'
import { refundableOf } from '../refunds/refundable.ts'
import type { Refund } from '../refunds/types.ts'
import { UncoveredNotice } from '../refunds/UncoveredNotice.tsx'
import { useApi } from '../session/session.ts'
import { DecisionNotice, type Resolution } from './DecisionNotice.tsx'
import { openDecision } from './decision.ts'
import { PaymentTable } from './PaymentTable.tsx'
import { sessionsPath } from './paths.ts'
import { ResolveDialog } from './ResolveDialog.tsx'
import { SessionFacts } from './SessionFacts.tsx'
import { SessionTimeline } from './SessionTimeline.tsx'

/** As many as the API lists at once, and as a session can have. */
const maxRefunds = 100

/** One payment session: what was requested, what came, what left, and when; a refund, and a decision. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [open, setOpen] = useState<'refund' | { resolve: Resolution } | { cancel: Refund }>()
  const path = { businessId: business.id, id: sessionId }
  const loaded = useLoaded(`${business.id} ${sessionId}`, async (signal) => {
    const [session, { entries }, { payouts }, { refunds, refundable }] = await Promise.all([
      api.call('getSessionOfBusiness', { path, signal }),
      api.call('getSessionTimeline', { path, signal }),
      api.call('listPayoutsOfBusiness', { path: { businessId: business.id }, query: { sessionId }, signal }),
      api.call('listRefundsOfBusiness', { path, query: { limit: maxRefunds }, signal }),
    ])
    return { session, entries, payouts, refunds, refundable: refundableOf(session, refundable) }
  })
  const present = loaded.now.state === 'ready' ? loaded.now.value.session : undefined
  const offered =
    loaded.now.state === 'ready' ? loaded.now.value.refundable.filter(({ now }) => now !== '0') : []
  const decision = present ? openDecision(present) : null
  const close = () => setOpen(undefined)
  function closeAndReload(): void {
    close()
    loaded.reload()
  }
  return (
    <Page
      title={present ? `Payment of ${present.amountExpected} ${present.token}` : 'Payment'}
      tab={`Payment · ${business.name}`}
      lead={<Link href={sessionsPath(business.id)}>All payments</Link>}
      actions={
        present && (
          <>
            <button type="button" className="button" onClick={loaded.reload}>
              Refresh
            </button>
            {develops && offered.length > 0 && (
              <button type="button" className="button" onClick={() => setOpen('refund')}>
                Refund
              </button>
            )}
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {({ session, entries, payouts, refunds, refundable }) => (
          <>
            {decision && (
              <DecisionNotice
                session={session}
                decision={decision}
                refundable={refundable}
                onChoose={(resolve) => setOpen({ resolve })}
              />
            )}
            <UncoveredNotice refundable={refundable} />
            <SessionFacts session={session} />
            <Section title="What happened">
              <SessionTimeline entries={entries} />
            </Section>
            <Section title="What came">
              {session.payments.length === 0 ? (
                <Empty title="Nothing came yet." />
              ) : (
                <PaymentTable payments={session.payments} />
              )}
            </Section>
            {refunds.length > 0 && (
              <Section title="Refunds">
                <RefundTable refunds={refunds} onCancel={(cancel) => setOpen({ cancel })} />
              </Section>
            )}
            {payouts.length > 0 && (
              <Section title="Payouts">
                <PayoutTable payouts={payouts} />
              </Section>
            )}
            {session.metadata && (
              <Section title="Metadata">
                <pre className="block">{JSON.stringify(session.metadata, null, 2)}</pre>
              </Section>
            )}
          </>
        )}
      </Loaded>
      {open === 'refund' && (
        <NewRefundDialog sessionId={sessionId} offered={offered} onClose={closeAndReload} />
      )}
      {typeof open === 'object' && 'resolve' in open && (
        <ResolveDialog
          sessionId={sessionId}
          resolution={open.resolve}
          onClose={close}
          onDone={loaded.reload}
        />
      )}
      {typeof open === 'object' && 'cancel' in open && (
        <CancelRefundDialog refund={open.cancel} onClose={close} onDone={loaded.reload} />
      )}
    </Page>
  )
}
