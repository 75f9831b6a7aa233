import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Section.tsx'
import { PayoutTable } from '../payouts/PayoutTable.tsx'
import { RefundTable } from '../refunds/RefundTable.tsx'
import type { Refund } from '../refunds/types.ts'
import { UncoveredNotice } from '../refunds/UncoveredNotice.tsx'
import { DecisionNotice, type Resolution } from './DecisionNotice.tsx'
import { openDecision } from './decision.ts'
import { PaymentTable } from './PaymentTable.tsx'
import { PayPanel } from './PayPanel.tsx'
import { SessionDeliveries } from './SessionDeliveries.tsx'
import { SessionFacts } from './SessionFacts.tsx'
import { SessionTimeline } from './SessionTimeline.tsx'
import { StateLine } from './StateLine.tsx'
import { isPayable, sessionState } from './sessionState.ts'
import { useExplorers } from './useExplorers.ts'
import type { Liveness } from './useLiveSession.ts'
import type { LoadedSession } from './useSession.ts'

interface Props {
  loaded: LoadedSession
  liveness: Liveness
  isOver: boolean
  now: number
  onResolve: (resolution: Resolution) => void
  onCancelRefund: (refund: Refund) => void
}

export function SessionDetails({ loaded, liveness, isOver, now, onResolve, onCancelRefund }: Props) {
  const { session, entries, payouts, refunds, refundable, deliveries, urls } = loaded
  const explorers = useExplorers()
  const decision = openDecision(session)
  return (
    <>
      <StateLine state={sessionState(session, now)} liveness={liveness} isOver={isOver} />
      {decision && (
        <DecisionNotice session={session} decision={decision} refundable={refundable} onChoose={onResolve} />
      )}
      <UncoveredNotice refundable={refundable} />
      {isPayable(session, now) && <PayPanel session={session} now={now} />}
      <Section title="What came">
        {session.payments.length === 0 ? (
          <Empty title="Nothing came yet." />
        ) : (
          <PaymentTable payments={session.payments} explorers={explorers} />
        )}
      </Section>
      {refunds.length > 0 && (
        <Section title="Refunds">
          <RefundTable refunds={refunds} onCancel={onCancelRefund} />
        </Section>
      )}
      {payouts.length > 0 && (
        <Section title="Payouts">
          <PayoutTable payouts={payouts} />
        </Section>
      )}
      <Section title="What happened">
        <SessionTimeline entries={entries} explorers={explorers} />
      </Section>
      <Section title="Details">
        <SessionFacts session={session} explorers={explorers} />
      </Section>
      {deliveries !== null && deliveries.length > 0 && (
        <Section title="Webhooks" lead="What your server was told about this payment.">
          <SessionDeliveries deliveries={deliveries} urls={urls} />
        </Section>
      )}
      {session.metadata && (
        <Section title="Metadata">
          <pre className="block">{JSON.stringify(session.metadata, null, 2)}</pre>
        </Section>
      )}
    </>
  )
}
