import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { MonitoredFields } from './MonitoredFields.tsx'
import { readMetadata, readTokens } from './monitoringForm.ts'
import type { MonitoredAddress } from './types.ts'

interface Props {
  entry: MonitoredAddress
  onClose: () => void
  onChanged: () => void
}

export function ChangeMonitoredDialog({ entry, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const body = {
      tokens: readTokens(textOf(data, 'tokens')),
      metadata: readMetadata(textOf(data, 'metadata')),
    }
    await api.call('changeMonitoredAddressOfBusiness', {
      path: { businessId: business.id, id: entry.id },
      body,
    })
    notify('The entry is changed.')
    onChanged()
    onClose()
  }
  return (
    <Dialog title="Change this entry" onClose={onClose}>
      <Form submit="Save changes" send={send} onCancel={onClose}>
        <p>
          <code>{entry.address}</code> on {chainLabel(entry.chain)}
        </p>
        <MonitoredFields entry={entry} />
      </Form>
    </Dialog>
  )
}
