import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { EndpointFields } from './EndpointFields.tsx'
import { changesOf, readEndpoint, readHeaders } from './endpointForm.ts'
import type { Endpoint } from './types.ts'

interface Props {
  endpoint: Endpoint
  onClose: () => void
  onChanged: () => Promise<void>
}

export function ChangeEndpointDialog({ endpoint, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const headers = readHeaders(data)
    const body = {
      ...changesOf(endpoint, readEndpoint(data)),
      ...(Object.keys(headers).length > 0 && { headers }),
    }
    if (Object.keys(body).length > 0) {
      await api.call('changeWebhookEndpointOfBusiness', {
        path: { businessId: business.id, id: endpoint.id },
        body,
      })
      await onChanged()
    }
    onClose()
    if (Object.keys(body).length > 0) notify('The endpoint is changed.')
  }
  return (
    <Dialog title="Change this endpoint" onClose={onClose}>
      <Form submit="Save changes" send={send} onCancel={onClose}>
        <EndpointFields endpoint={endpoint} />
        <p className="fine">
          Waiting webhooks are sent to the new address. The kind of signature changes with a new secret or
          key.
        </p>
      </Form>
    </Dialog>
  )
}
