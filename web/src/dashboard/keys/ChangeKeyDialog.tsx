import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { ApiKey } from '../types.ts'
import { changesOf, readLimits } from './keyForm.ts'
import { LimitFields } from './LimitFields.tsx'
import { PermissionChoice } from './PermissionChoice.tsx'

interface Props {
  apiKey: ApiKey
  onClose: () => void
  onChanged: (key: ApiKey) => void
}

export function ChangeKeyDialog({ apiKey, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const changes = changesOf(apiKey, readLimits(data, business.timeZone))
    if (Object.keys(changes).length > 0) {
      onChanged(
        await api.call('changeKey', { path: { businessId: business.id, keyId: apiKey.id }, body: changes }),
      )
      notify('The key is changed, from the next request on.')
    }
    onClose()
  }
  return (
    <Dialog title="Change this key" onClose={onClose}>
      <Form submit="Save changes" send={send} onCancel={onClose}>
        <Field
          name="name"
          label="Name"
          required
          maxLength={100}
          defaultValue={apiKey.name}
          autoComplete="off"
        />
        <PermissionChoice scope={apiKey.scope} chosen={apiKey.permissions} />
        <LimitFields apiKey={apiKey} />
        <p className="fine">The scope of a key cannot be changed. Create another key instead.</p>
      </Form>
    </Dialog>
  )
}
