import { useLocation } from 'wouter'
import { currencyChoices } from '../../ui/currencies.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Select } from '../../ui/Select.tsx'
import { readersZone, zoneChoices } from '../../ui/zone.ts'
import { textOf, trimmed } from '../formData.ts'
import { useSession } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'

export function NewBusinessDialog({ onClose }: { onClose: () => void }) {
  const { api, refresh } = useSession()
  const [, navigate] = useLocation()
  async function send(data: FormData): Promise<void> {
    const business = await api.call('createBusiness', {
      body: {
        name: trimmed(data, 'name'),
        localCurrency: textOf(data, 'localCurrency') || null,
        timeZone: textOf(data, 'timeZone'),
      },
    })
    await refresh()
    navigate(businessPath(business.id))
  }
  return (
    <Dialog title="Open a business" onClose={onClose}>
      <Form submit="Open business" send={send} onCancel={onClose}>
        <p>You will own it. In production an operator of the platform approves it before its keys work.</p>
        <Field name="name" label="Name" required maxLength={100} autoComplete="organization" />
        <Select
          name="localCurrency"
          label="Local currency"
          hint="The currency of your prices. You can change it later."
          defaultValue=""
          choices={currencyChoices(null)}
        />
        <Select
          name="timeZone"
          label="Time zone"
          hint="Its days and months. You can change it later."
          defaultValue={readersZone()}
          choices={zoneChoices(readersZone())}
        />
      </Form>
    </Dialog>
  )
}
