import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { OperatedBusiness } from '../types.ts'

interface Props {
  businessId: string
  fees: Pick<OperatedBusiness, 'feePercent' | 'fxMarginPercent'>
  onSaved: (business: OperatedBusiness) => void
}

const percent = {
  required: true,
  inputMode: 'decimal',
  pattern: '(0|[1-9][0-9]?)(\\.[0-9]{1,6})?',
  title: 'Enter a number from 0 to less than 100, such as 1.5.',
  autoComplete: 'off',
} as const

/** The platform's fee and margin for a business. */
export function FeesForm({ businessId, fees, onSaved }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const body = {
      feePercent: trimmed(data, 'feePercent'),
      fxMarginPercent: trimmed(data, 'fxMarginPercent'),
    }
    onSaved(await api.call('setFees', { path: { businessId }, body }))
    notify('Fee and margin are saved. They apply to payments that start from now on.')
  }
  return (
    <Form submit="Save fees" send={send}>
      <Field name="feePercent" label="Fee in percent" defaultValue={fees.feePercent} {...percent} />
      <Field
        name="fxMarginPercent"
        label="Exchange margin in percent"
        defaultValue={fees.fxMarginPercent}
        {...percent}
      />
    </Form>
  )
}
