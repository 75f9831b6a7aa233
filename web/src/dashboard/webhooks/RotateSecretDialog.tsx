import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { SigningKey } from './NewSigningKey.tsx'
import { readSigning, SigningFields } from './SigningFields.tsx'
import type { Endpoint } from './types.ts'

interface Props {
  endpoint: Endpoint
  onClose: () => void
  onRotated: (key: SigningKey) => void
}

export function RotateSecretDialog({ endpoint, onClose, onRotated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const what = endpoint.signature === 'hmac' ? 'secret' : 'key'
  async function send(data: FormData): Promise<void> {
    onRotated(
      await api.call('rotateWebhookSecretOfBusiness', {
        path: { businessId: business.id, id: endpoint.id },
        body: readSigning(data),
      }),
    )
  }
  return (
    <Dialog title={`Make a new signing ${what}?`} onClose={onClose}>
      <Form submit={`Make new ${what}`} send={send} onCancel={onClose}>
        <p>
          For 24 hours every webhook is signed with both, the old {what} and the new one. Give the new one to
          your server in that time.
        </p>
        {endpoint.previousSecretUntil && (
          <p>
            An earlier change has not finished. The {what} before it, which would sign until{' '}
            <Time at={endpoint.previousSecretUntil} />, stops at once.
          </p>
        )}
        <SigningFields chosen={endpoint.signature} />
      </Form>
    </Dialog>
  )
}
