import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { newPaymentPath, sessionsPath } from '../posSessions/paths.ts'
import { SessionTable } from '../posSessions/SessionTable.tsx'
import { useApi } from '../session/session.ts'
import { Figures } from './Figures.tsx'
import { NeedsSection } from './NeedsSection.tsx'
import { TakenSection } from './TakenSection.tsx'
import type { Overview } from './types.ts'
import { useLive } from './useLive.ts'

const newest = 6

/** What was taken, what needs a person, and the newest payments: the page that the dashboard opens with. */
export function OverviewPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const path = { businessId: business.id }
  const overview = useLoaded(business.id, (signal) => api.call('getOverview', { path, signal }))
  const payments = useLoaded(business.id, (signal) =>
    api.call('listSessionsOfBusiness', { path, query: { limit: newest }, signal }),
  )
  const known = overview.now.state === 'ready' ? overview.now.value : undefined
  const live = useLive(business.id, known?.latestEvent, () => {
    overview.reload()
    payments.reload()
  })
  return (
    <Page
      title="Overview"
      tab={`Overview · ${business.name}`}
      actions={
        develops && (
          <Link href={newPaymentPath(business.id)} className="button primary">
            New payment
          </Link>
        )
      }
    >
      <Loaded of={overview}>{(value) => <AtAGlance overview={value} />}</Loaded>
      <Section title="Newest payments">
        <Loaded of={payments}>
          {({ sessions, total }) =>
            sessions.length === 0 ? (
              <NoPayments />
            ) : (
              <>
                <SessionTable sessions={sessions} />
                <div className="button-row">
                  {total > sessions.length && <Link href={sessionsPath(business.id)}>All payments</Link>}
                  {live && <Badge tone="good">Live</Badge>}
                </div>
              </>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}

function AtAGlance({ overview }: { overview: Overview }) {
  return (
    <>
      <NeedsSection needs={overview.needs} />
      <Figures overview={overview} />
      <TakenSection overview={overview} />
    </>
  )
}

function NoPayments() {
  const { business, develops } = useBusiness()
  return (
    <Empty title="There is no payment yet.">
      <p>Request the first one here, or by the API from your server.</p>
      {develops && (
        <p>
          <Link href={newPaymentPath(business.id)}>New payment</Link>
        </p>
      )}
    </Empty>
  )
}
