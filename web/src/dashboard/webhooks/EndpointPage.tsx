import { useState } from 'react'
import { Link } from 'wouter'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { ChangeEndpointDialog } from './ChangeEndpointDialog.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { FailingTypes } from './FailingTypes.tsx'
import { LatestDeliveries } from './LatestDeliveries.tsx'
import { NewSigningKey, type SigningKey } from './NewSigningKey.tsx'
import { PauseDialog, ResumeDialog } from './PauseDialogs.tsx'
import { PausedNotice } from './PausedNotice.tsx'
import { endpointsPath } from './paths.ts'
import { RemoveEndpointDialog } from './RemoveEndpointDialog.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import { TestEventDialog } from './TestEventDialog.tsx'

type Action = 'test' | 'change' | 'rotate' | 'pause' | 'resume' | 'remove'
type Open = { what: Action } | ({ what: 'key' } & SigningKey)

/** One endpoint: its health, its deliveries and its actions. */
export function EndpointPage({ endpointId }: { endpointId: string }) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const path = { businessId: business.id, id: endpointId }
  const loaded = useLoaded(`${business.id} ${endpointId}`, async (signal) => {
    const query = { endpointId, type: '*', limit: 10 }
    const [endpoint, { webhooks }] = await Promise.all([
      api.call('getWebhookEndpointOfBusiness', { path, signal }),
      api.call('listWebhooksOfBusiness', { path: { businessId: business.id }, query, signal }),
    ])
    return { endpoint, deliveries: webhooks }
  })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const endpoint = loaded.now.state === 'ready' ? loaded.now.value.endpoint : undefined
  const button = (what: Action, label: string, tone = '') => (
    <button type="button" className={`button ${tone}`} onClick={() => setOpen({ what })}>
      {label}
    </button>
  )
  const choice = (what: Action, label: string) => ({ label, onChoose: () => setOpen({ what }) })
  return (
    <Page
      title={endpoint?.url ?? 'Webhook endpoint'}
      tab={`${endpoint?.url ?? 'Webhook endpoint'} · ${business.name}`}
      lead={<Link href={endpointsPath(business.id)}>All endpoints</Link>}
      actions={
        develops &&
        endpoint && (
          <>
            {endpoint.status === 'active' && button('test', 'Send test event')}
            {button('change', 'Change')}
            {endpoint.status !== 'active' && button('resume', 'Resume', 'primary')}
            <ActionMenu
              actions={[
                choice('rotate', endpoint.signature === 'hmac' ? 'New secret' : 'New key'),
                ...(endpoint.status === 'active' ? [choice('pause', 'Pause')] : []),
                { ...choice('remove', 'Remove'), danger: true },
              ]}
            />
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {(value) => (
          <>
            <PausedNotice endpoint={value.endpoint} develops={develops} />
            <FailingTypes endpoint={value.endpoint} businessId={business.id} />
            <EndpointFacts endpoint={value.endpoint} businessId={business.id} />
            <LatestDeliveries endpointId={endpointId} deliveries={value.deliveries} />
          </>
        )}
      </Loaded>
      {endpoint && open?.what === 'test' && (
        <TestEventDialog endpoint={endpoint} onSent={loaded.reload} onClose={close} />
      )}
      {endpoint && open?.what === 'change' && (
        <ChangeEndpointDialog endpoint={endpoint} onClose={close} onChanged={loaded.reload} />
      )}
      {endpoint && open?.what === 'rotate' && (
        <RotateSecretDialog
          endpoint={endpoint}
          onClose={close}
          onRotated={(key) => {
            setOpen({ what: 'key', ...key })
            loaded.reload()
          }}
        />
      )}
      {endpoint && open?.what === 'pause' && (
        <PauseDialog endpoint={endpoint} onClose={close} onChanged={loaded.reload} />
      )}
      {endpoint && open?.what === 'resume' && (
        <ResumeDialog endpoint={endpoint} onClose={close} onChanged={loaded.reload} />
      )}
      {endpoint && open?.what === 'remove' && <RemoveEndpointDialog endpoint={endpoint} onClose={close} />}
      {open?.what === 'key' && (
        <NewSigningKey endpoint={open.endpoint} secret={open.secret} onClose={close} />
      )}
    </Page>
  )
}
