import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { fromZoneInput, labelInZone, toZoneInput } from '../../ui/zone.ts'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { endpointChoices } from './endpointChoices.ts'
import type { CallbackHost, Endpoint } from './types.ts'

interface Props {
  endpoints: Endpoint[]
  hosts: CallbackHost[]
  onClose: () => void
  onReplayed: () => void
}

const dayMs = 24 * 60 * 60 * 1000

export function ReplayFailedDialog({ endpoints, hosts, onClose, onReplayed }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const since = fromZoneInput(textOf(data, 'since'), business.timeZone)
    if (!since) throw new FieldProblem({ since: 'Enter a date and a time.' })
    const endpointId = textOf(data, 'endpointId')
    const body = { since, ...(endpointId ? { endpointId } : {}) }
    const { replayed, more } = await api.call('replayWebhooksOfBusiness', {
      path: { businessId: business.id },
      body,
    })
    onClose()
    onReplayed()
    notify(replayedInWords(replayed, more))
  }
  return (
    <Dialog title="Send failed ones again" onClose={onClose}>
      <Form submit="Send again" send={send} onCancel={onClose}>
        <p>
          Failed deliveries start over. Your server sees the same <code>webhook-id</code> as before, by which
          it recognizes what it already has.
        </p>
        <Field
          name="since"
          label={labelInZone('Events since', business.timeZone)}
          type="datetime-local"
          required
          defaultValue={toZoneInput(new Date(Date.now() - dayMs).toISOString(), business.timeZone)}
        />
        <Select name="endpointId" label="Endpoint" choices={endpointChoices(endpoints, hosts)} />
      </Form>
    </Dialog>
  )
}

function replayedInWords(replayed: number, more: boolean): string {
  if (replayed === 0) return 'Nothing has failed since then.'
  const sent =
    replayed === 1 ? '1 delivery is sent again.' : `${replayed.toLocaleString()} deliveries are sent again.`
  return more ? `${sent} There are more: send again to continue.` : sent
}
