import { useState } from 'react'
import { Link } from 'wouter'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AttemptList } from './AttemptList.tsx'
import { DeliveryFacts } from './DeliveryFacts.tsx'
import { deliveriesPath } from './paths.ts'
import { idsOf, isSendable } from './targetOf.ts'

/** One delivery: its event and every attempt. */
export function DeliveryPage({ deliveryId }: { deliveryId: string }) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const notify = useNotify()
  const [asking, setAsking] = useState(false)
  const path = { businessId: business.id, id: deliveryId }
  const loaded = useLoaded(`${business.id} ${deliveryId}`, async (signal) => {
    const [delivery, { endpoints }, { hosts }] = await Promise.all([
      api.call('getWebhookOfBusiness', { path, signal }),
      api.call('listWebhookEndpointsOfBusiness', { path: { businessId: business.id }, signal }),
      api.call('getWebhookCallbacksOfBusiness', { path: { businessId: business.id }, signal }),
    ])
    // The id is sent in the header `webhook-id`.
    const { id: _, erasedAt: __, ...body } = delivery.event
    return {
      delivery,
      endpoint: endpoints.find(({ id }) => id === delivery.endpointId),
      sendable: !delivery.erasedAt && isSendable(delivery, idsOf(endpoints, hosts)),
      body: JSON.stringify(body, null, 2),
    }
  })
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  async function replay(): Promise<void> {
    await api.call('replayWebhookOfBusiness', { path })
    setAsking(false)
    loaded.reload()
    notify('It is sent again.')
  }
  return (
    <Page
      title={present?.delivery.type ?? 'Webhook delivery'}
      tab={`Delivery of ${present?.delivery.type ?? 'a webhook'} · ${business.name}`}
      lead={<Link href={deliveriesPath(business.id)}>All deliveries</Link>}
      actions={
        present && (
          <>
            <button type="button" className="button" onClick={loaded.reload}>
              Refresh
            </button>
            {develops && present.sendable && (
              <button type="button" className="button" onClick={() => setAsking(true)}>
                Send again
              </button>
            )}
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {({ delivery, endpoint, sendable, body }) => (
          <>
            <DeliveryFacts delivery={delivery} endpoint={endpoint} businessId={business.id} />
            {delivery.url && !delivery.erasedAt && !sendable && (
              <p>It cannot be sent again: its host is no longer one of your callback hosts.</p>
            )}
            <Section title="Attempts">
              <AttemptList attempts={delivery.attempts} />
            </Section>
            {delivery.event.erasedAt ? (
              <Section title="Body">
                <p>
                  The operator of this deployment erased it on <Time at={delivery.event.erasedAt} />.
                </p>
              </Section>
            ) : (
              <Section title="Body" lead="The event as it is sent, with line breaks for reading.">
                <pre className="block">{body}</pre>
                <CopyButton text={body} label="Copy body" />
              </Section>
            )}
          </>
        )}
      </Loaded>
      {asking && (
        <ConfirmDialog
          title="Send this delivery again?"
          confirm="Send again"
          danger={false}
          onClose={() => setAsking(false)}
          act={replay}
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
