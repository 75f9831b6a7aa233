import { currencyChoices } from '../../ui/currencies.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Select } from '../../ui/Select.tsx'
import { zoneChoices } from '../../ui/zone.ts'
import { DeliveryChoice, readDelivery } from '../DeliveryChoice.tsx'
import { textOf, trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'

interface Props {
  onClose: () => void
  onOpened: (ownerEmail: string, token: string | null) => void
}

/** Opens a business for another person, who becomes its owner by an invitation. */
export function OpenBusinessDialog({ onClose, onOpened }: Props) {
  const api = useApi()
  async function send(data: FormData): Promise<void> {
    const ownerEmail = trimmed(data, 'ownerEmail')
    const body = {
      name: trimmed(data, 'name'),
      ownerEmail,
      localCurrency: textOf(data, 'localCurrency') || null,
      timeZone: textOf(data, 'timeZone'),
      ...readDelivery(data),
    }
    const { token } = await api.call('openBusiness', { body })
    onOpened(ownerEmail, token)
  }
  return (
    <Dialog title="Open a business" onClose={onClose}>
      <Form submit="Open business" send={send} onCancel={onClose}>
        <Field name="name" label="Name" required maxLength={100} autoComplete="off" />
        <Field
          name="ownerEmail"
          label="Email of the owner"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <Select name="localCurrency" label="Local currency" defaultValue="" choices={currencyChoices(null)} />
        <Select name="timeZone" label="Time zone" defaultValue="UTC" choices={zoneChoices('UTC')} />
        <DeliveryChoice />
      </Form>
    </Dialog>
  )
}
