import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { VerificationKey } from './types.ts'

interface Props {
  verificationKey: VerificationKey
  onClose: () => void
  onChanged: () => Promise<void>
}

/** The web sites that may use a publishable key. */
export function OriginsDialog({ verificationKey, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const path = { businessId: business.id, keyId: verificationKey.id }
    await api.call('setVerificationKeyOrigins', {
      path,
      body: { origins: textOf(data, 'origins').split(/\s+/).filter(Boolean) },
    })
    // All web sites are sent: who opens this again at once must find those of now.
    await onChanged()
    onClose()
  }
  return (
    <Dialog title="Change the web sites" onClose={onClose}>
      <Form submit="Save" send={send} onCancel={onClose}>
        <TextArea
          name="origins"
          label="Web sites"
          hint="One a line, as https://shop.example. Others are refused from the next request on."
          maxLength={4000}
          defaultValue={verificationKey.origins.join('\n')}
        />
      </Form>
    </Dialog>
  )
}
