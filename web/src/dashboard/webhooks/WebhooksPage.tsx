import { useState } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Url } from '../../ui/Url.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AddEndpointDialog } from './AddEndpointDialog.tsx'
import { CallbacksSection } from './CallbacksSection.tsx'
import { EndpointTable } from './EndpointTable.tsx'
import { NewSigningKey, type SigningKey } from './NewSigningKey.tsx'
import { PausedNotice } from './PausedNotice.tsx'
import { endpointPath } from './paths.ts'

type Open = { what: 'add' } | ({ what: 'key' } & SigningKey)

/** Webhook endpoints. */
export function WebhooksPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const loaded = useLoaded(business.id, (signal) =>
    api.call('listWebhookEndpointsOfBusiness', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="Webhooks"
      tab={`Webhooks · ${business.name}`}
      lead="Cowry sends events to your servers: payments seen, confirmed and paid."
      actions={
        develops && (
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'add' })}>
            Add endpoint
          </button>
        )
      }
    >
      <Loaded of={loaded}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <Empty title="Nothing is sent yet.">
              <p>Events are kept for 24 hours, until there is an endpoint for them.</p>
            </Empty>
          ) : (
            <>
              {endpoints.map((endpoint) => (
                <PausedNotice key={endpoint.id} endpoint={endpoint} develops={develops}>
                  <Link className="strong" href={endpointPath(business.id, endpoint.id)}>
                    <Url of={endpoint.url} />
                  </Link>
                </PausedNotice>
              ))}
              <EndpointTable endpoints={endpoints} businessId={business.id} />
            </>
          )
        }
      </Loaded>
      <CallbacksSection />
      {open?.what === 'add' && (
        <AddEndpointDialog
          onClose={close}
          onAdded={(endpoint, secret) => {
            setOpen({ what: 'key', endpoint, secret })
            loaded.reload()
          }}
        />
      )}
      {open?.what === 'key' && (
        <NewSigningKey endpoint={open.endpoint} secret={open.secret} onClose={close} />
      )}
    </Page>
  )
}
