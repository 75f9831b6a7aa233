import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { overlaps } from '../keys/overlaps.ts'
import { useApi } from '../session/session.ts'
import type { VerificationKey } from './types.ts'

interface Props {
  verificationKey: VerificationKey
  onClose: () => void
  onRotated: (secret: string) => void
}

export function RotateVerificationKeyDialog({ verificationKey, onClose, onRotated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const { secret } = await api.call('rotateVerificationKey', {
      path: { businessId: business.id, keyId: verificationKey.id },
      body: { overlapSeconds: Number(textOf(data, 'overlap')) },
    })
    onRotated(secret)
  }
  return (
    <Dialog title="Rotate this key" onClose={onClose}>
      <Form submit="Rotate key" send={send} onCancel={onClose}>
        <p>
          You get a new key of the same kind, for the same web sites. The old one keeps working for as long as
          you choose here.
        </p>
        <Choices name="overlap" legend="How long the old key still works" choices={overlaps} chosen="86400" />
      </Form>
    </Dialog>
  )
}
