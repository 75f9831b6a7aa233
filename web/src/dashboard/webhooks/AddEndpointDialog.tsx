import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { EndpointFields } from './EndpointFields.tsx'
import { readEndpoint } from './endpointForm.ts'
import type { Endpoint, Signature } from './types.ts'

interface Props {
  onClose: () => void
  /** The secret is null if the endpoint has a public key. */
  onAdded: (endpoint: Endpoint, secret: string | null) => void
}

const signatures: { value: Signature; label: string; hint: string }[] = [
  { value: 'hmac', label: 'With a secret (HMAC)', hint: 'Your server checks with a secret that only it and Cowry know. Most libraries do this.' },
  { value: 'ed25519', label: 'With a key pair (Ed25519)', hint: 'Your server checks with a public key. It keeps no secret.' },
]

export function AddEndpointDialog({ onClose, onAdded }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const signature: Signature = textOf(data, 'signature') === 'ed25519' ? 'ed25519' : 'hmac'
    const body = { ...readEndpoint(data), signature }
    const { endpoint, secret } = await api.call('createWebhookEndpointOfBusiness', { path: { businessId: business.id }, body })
    onAdded(endpoint, secret)
  }
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <Form submit="Add endpoint" send={send} onCancel={onClose}>
        <EndpointFields />
        <Choices name="signature" legend="How webhooks are signed" choices={signatures} chosen="hmac" />
      </Form>
    </Dialog>
  )
}
