import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { EndpointFields } from './EndpointFields.tsx'
import { readEndpoint, readNewHeaders } from './endpointForm.ts'
import { readSigning, SigningFields } from './SigningFields.tsx'
import type { Endpoint } from './types.ts'

interface Props {
  onClose: () => void
  /** The secret is null if the endpoint has a public key. */
  onAdded: (endpoint: Endpoint, secret: string | null) => void
}

export function AddEndpointDialog({ onClose, onAdded }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const body = { ...readEndpoint(data), ...readSigning(data), headers: readNewHeaders(data) }
    const { endpoint, secret } = await api.call('createWebhookEndpointOfBusiness', {
      path: { businessId: business.id },
      body,
    })
    onAdded(endpoint, secret)
  }
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <Form submit="Add endpoint" send={send} onCancel={onClose}>
        <EndpointFields />
        <SigningFields chosen="hmac" />
      </Form>
    </Dialog>
  )
}
