import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { PayoutTable } from '../payouts/PayoutTable.tsx'
import { useApi } from '../session/session.ts'
import { PaymentTable } from './PaymentTable.tsx'
import { sessionsPath } from './paths.ts'
import { SessionFacts } from './SessionFacts.tsx'
import { SessionTimeline } from './SessionTimeline.tsx'

/** One payment session: what was requested, what came, what left, and when. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id, id: sessionId }
  const loaded = useLoaded(`${business.id} ${sessionId}`, async (signal) => {
    const [session, { entries }, { payouts }] = await Promise.all([
      api.call('getSessionOfBusiness', { path, signal }),
      api.call('getSessionTimeline', { path, signal }),
      api.call('listPayoutsOfBusiness', { path: { businessId: business.id }, query: { sessionId }, signal }),
    ])
    return { session, entries, payouts }
  })
  const present = loaded.now.state === 'ready' ? loaded.now.value.session : undefined
  return (
    <Page
      title={present ? `Payment of ${present.amountExpected} ${present.token}` : 'Payment'}
      tab={`Payment · ${business.name}`}
      lead={<Link href={sessionsPath(business.id)}>All payments</Link>}
      actions={
        present && (
          <button type="button" className="button" onClick={loaded.reload}>
            Refresh
          </button>
        )
      }
    >
      <Loaded of={loaded}>
        {({ session, entries, payouts }) => (
          <>
            <SessionFacts session={session} />
            <Section title="What happened">
              <SessionTimeline entries={entries} />
            </Section>
            <Section title="What came">
              {session.payments.length === 0 ? <Empty title="Nothing came yet." /> : <PaymentTable payments={session.payments} />}
            </Section>
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
    </Page>
  )
}
