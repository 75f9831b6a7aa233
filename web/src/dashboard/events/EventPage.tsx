import { useState } from 'react'
import { Link } from 'wouter'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { idsOf } from '../webhooks/targetOf.ts'
import type { Delivery } from '../webhooks/types.ts'
import { EventDeliveries } from './EventDeliveries.tsx'
import { eventsPath } from './paths.ts'
import type { EventRecord } from './types.ts'

/** A business may have 50 endpoints, and an event goes to one callback host at most. */
const maxDeliveries = 100

/** One event: what is sent, and to whom. */
export function EventPage({ eventId }: { eventId: string }) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const notify = useNotify()
  const [replayed, setReplayed] = useState<Delivery>()
  const path = { businessId: business.id }
  const loaded = useLoaded(`${business.id} ${eventId}`, async (signal) => {
    const event = await api.call('getEventOfBusiness', { path: { ...path, id: eventId }, signal })
    const query = { eventId, type: event.type, limit: maxDeliveries }
    const [{ webhooks }, { endpoints }, { hosts }] = await Promise.all([
      api.call('listWebhooksOfBusiness', { path, query, signal }),
      api.call('listWebhookEndpointsOfBusiness', { path, signal }),
      api.call('getWebhookCallbacksOfBusiness', { path, signal }),
    ])
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    return { event, deliveries: webhooks, urls, there: idsOf(endpoints, hosts) }
  })
  const event = loaded.now.state === 'ready' ? loaded.now.value.event : undefined
  async function replay(delivery: Delivery): Promise<void> {
    await api.call('replayWebhookOfBusiness', { path: { ...path, id: delivery.id } })
    setReplayed(undefined)
    loaded.reload()
    notify('It is sent again.')
  }
  return (
    <Page
      title={event?.type ?? 'Event'}
      tab={`${event?.type ?? 'Event'} · ${business.name}`}
      lead={<Link href={eventsPath(business.id)}>All events</Link>}
      actions={
        <button type="button" className="button" onClick={loaded.reload}>
          Refresh
        </button>
      }
    >
      <Loaded of={loaded}>
        {({ event: found, deliveries, urls, there }) => (
          <>
            <Facts
              facts={[
                ['Happened', <Time key="at" at={found.timestamp} exact />],
                ['Sequence', found.sequence.toLocaleString()],
                ['webhook-id', <code key="id">{found.id}</code>],
              ]}
            />
            <Section title="Deliveries">
              {deliveries.length === 0 ? (
                <Empty title="No endpoint takes it: by its type, or by its filters.">
                  <p>Programs can still read it with GET /events.</p>
                </Empty>
              ) : (
                <EventDeliveries
                  deliveries={deliveries}
                  urls={urls}
                  there={there}
                  onReplay={develops && !found.erasedAt ? setReplayed : undefined}
                />
              )}
            </Section>
            <Body of={found} />
          </>
        )}
      </Loaded>
      {replayed && (
        <ConfirmDialog
          title="Send this event again?"
          confirm="Send again"
          danger={false}
          onClose={() => setReplayed(undefined)}
          act={() => replay(replayed)}
        >
          <p>
            It is attempted now, whether or not it was delivered before. Your server sees the same{' '}
            <code>webhook-id</code>, by which it recognizes what it already has.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Body({ of }: { of: EventRecord }) {
  if (of.erasedAt)
    return (
      <Section title="Body">
        <p>
          The operator of this deployment erased it on <Time at={of.erasedAt} />.
        </p>
      </Section>
    )
  const { id: _, erasedAt: __, ...sent } = of
  const body = JSON.stringify(sent, null, 2)
  return (
    <Section title="Body" lead="The event as it is sent, with line breaks for reading.">
      <pre className="block">{body}</pre>
      <CopyButton text={body} label="Copy body" />
    </Section>
  )
}
