import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { BankFields } from './BankFields.tsx'
import { destinationIn } from './destinationForm.ts'
import { inHours } from './payoutLabels.ts'
import type { DestinationStatus } from './types.ts'
import { WalletFields } from './WalletFields.tsx'

interface Props {
  onClose: () => void
  onAdded: () => void
}

const kinds = [
  { value: 'bank', label: 'A bank account' },
  { value: 'wallet', label: 'A wallet' },
]

const savedWords: Record<DestinationStatus, string> = {
  awaiting_approval: 'The destination is saved. A second owner has to approve it.',
  cooling_off: 'The destination is saved. It can be used when its cooling-off time is over.',
  usable: 'The destination is saved.',
  archived: 'The destination is archived.',
}

export function AddDestinationDialog({ onClose, onAdded }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const path = { businessId: business.id }
  const [kind, setKind] = useState('bank')
  const settings = useLoaded(business.id, (signal) => api.call('getPayoutSettings', { path, signal }))
  async function send(data: FormData): Promise<void> {
    const { status } = await api.call('createPayoutDestinationOfBusiness', {
      path,
      body: destinationIn(data),
    })
    notify(savedWords[status])
    onAdded()
    onClose()
  }
  return (
    <Dialog title="Add a destination" onClose={onClose}>
      <Form submit="Save destination" send={send} onCancel={onClose} focusFirst>
        <Choices name="kind" legend="Kind" choices={kinds} chosen={kind} onChoose={setKind} />
        {kind === 'bank' ? <BankFields /> : <WalletFields />}
        <Field name="name" label="Name" hint="For you. May stay empty." maxLength={100} autoComplete="off" />
        <Loaded of={settings}>
          {({ coolingOffHours }) => <p className="fine">Cooling-off time: {inHours(coolingOffHours)}.</p>}
        </Loaded>
      </Form>
    </Dialog>
  )
}
