import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { ApiKey } from '../types.ts'
import { overlaps } from './overlaps.ts'

interface Props {
  apiKey: ApiKey
  onClose: () => void
  onRotated: (secret: string) => void
}

export function RotateKeyDialog({ apiKey, onClose, onRotated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const { secret } = await api.call('rotateKey', {
      path: { businessId: business.id, keyId: apiKey.id },
      body: { overlapSeconds: Number(textOf(data, 'overlap')) },
    })
    onRotated(secret)
  }
  return (
    <Dialog title="Rotate this key" onClose={onClose}>
      <Form submit="Rotate key" send={send} onCancel={onClose}>
        <p>
          You get a new key with the same scope and limits. The old one keeps working for as long as you
          choose here.
        </p>
        <Choices name="overlap" legend="How long the old key still works" choices={overlaps} chosen="86400" />
      </Form>
    </Dialog>
  )
}
