import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../../ui/Dialog.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Form } from '../../ui/Form.tsx'
import { Url } from '../../ui/Url.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { attemptText } from './attemptLabels.ts'
import { deliveryPath } from './paths.ts'
import type { Endpoint } from './types.ts'
import { type Outcome, useOutcome } from './useOutcome.ts'

interface Props {
  endpoint: Endpoint
  /**
   * Called after a test was sent: its delivery is in the lists, and the endpoint's health may have changed.
   */
  onSent: () => void
  onClose: () => void
}

export function TestEventDialog({ endpoint, onSent, onClose }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const [deliveryId, setDeliveryId] = useState<string>()
  async function send(): Promise<void> {
    const delivery = await api.call('testWebhookEndpointOfBusiness', {
      path: { businessId: business.id, id: endpoint.id },
    })
    setDeliveryId(delivery.id)
  }
  function closed(): void {
    if (deliveryId) onSent()
    onClose()
  }
  return (
    <Dialog title="Send a test event" onClose={closed}>
      {deliveryId ? (
        <Sent deliveryId={deliveryId} onClose={closed} />
      ) : (
        <Form submit="Send test event" send={send} onCancel={onClose}>
          <p>
            An event <code>endpoint.test</code> goes to{' '}
            <span className="strong">
              <Url of={endpoint.url} />
            </span>{' '}
            alone, signed like all others.
          </p>
        </Form>
      )}
    </Dialog>
  )
}

function Sent({ deliveryId, onClose }: { deliveryId: string; onClose: () => void }) {
  const { business } = useBusiness()
  const outcome = useOutcome(business.id, deliveryId)
  const { delivery, error } = outcome
  const last = delivery?.attempts.at(-1)
  const done = useRef<HTMLButtonElement>(null)
  // The button that sent it is gone, and the focus with it.
  useEffect(() => done.current?.focus(), [])
  return (
    <>
      <div className={`notice ${toneOf(outcome)}`} role="status">
        <p className="strong">{messageOf(outcome)}</p>
        {last && (
          <p>
            Attempt {last.number}: {attemptText(last)}
          </p>
        )}
      </div>
      {error !== undefined && <Failed error={error} />}
      <div className="dialog-actions">
        <Link className="button" href={deliveryPath(business.id, deliveryId)}>
          See the delivery
        </Link>
        <button ref={done} type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  )
}

function messageOf({ delivery, over }: Outcome): string {
  if (delivery?.status === 'delivered') return 'Your server took the test event.'
  if (delivery?.status === 'failed') return 'The test event was not delivered.'
  if (over) return 'The test event is not delivered yet. Cowry keeps trying.'
  return delivery && delivery.attempts.length > 0
    ? 'Not delivered yet. Retrying…'
    : 'The test event is on its way…'
}

function toneOf({ delivery, over }: Outcome): string {
  if (delivery?.status === 'delivered') return 'good'
  if (delivery?.status === 'failed') return 'danger'
  return over ? 'warn' : ''
}
