import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { readLimits } from './keyForm.ts'
import { LimitFields } from './LimitFields.tsx'
import { PermissionChoice } from './PermissionChoice.tsx'

interface Props {
  onClose: () => void
  onCreated: (secret: string) => void
}

const scopes = [
  { value: 'read', label: 'Read', hint: 'Reads only: balances, transactions, webhooks.' },
  { value: 'write', label: 'Write', hint: 'Everything that read does, and payments, wallets and transfers.' },
]

const readScope = (text: string) => (text === 'write' ? 'write' : 'read')

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const [scope, setScope] = useState<'read' | 'write'>('read')
  async function send(data: FormData): Promise<void> {
    const body = { ...readLimits(data, business.timeZone), scope: readScope(textOf(data, 'scope')) } as const
    const { secret } = await api.call('createKey', { path: { businessId: business.id }, body })
    onCreated(secret)
  }
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <Form submit="Create key" send={send} onCancel={onClose}>
        <Field
          name="name"
          label="Name"
          hint="Where the key is used, so that you know it again."
          required
          maxLength={100}
          autoComplete="off"
        />
        <Choices
          name="scope"
          legend="Scope"
          choices={scopes}
          chosen={scope}
          onChoose={(value) => setScope(readScope(value))}
        />
        <PermissionChoice scope={scope} chosen={null} />
        <LimitFields />
      </Form>
    </Dialog>
  )
}
