import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf, trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'

interface Props {
  onClose: () => void
  onCreated: (secret: string) => void
}

const kinds = [
  { value: 'secret', label: 'Secret', hint: 'For your servers: everything, personal data included.' },
  {
    value: 'publishable',
    label: 'Publishable',
    hint: 'For web sites and apps: uploads, starts a verification and reads its status.',
  },
]

const readKind = (text: string) => (text === 'publishable' ? 'publishable' : 'secret')

export function CreateVerificationKeyDialog({ onClose, onCreated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret')
  async function send(data: FormData): Promise<void> {
    const origins = kind === 'publishable' ? textOf(data, 'origins').split(/\s+/).filter(Boolean) : []
    const body = { name: trimmed(data, 'name'), kind, ...(origins.length > 0 && { origins }) }
    const { secret } = await api.call('createVerificationKey', { path: { businessId: business.id }, body })
    onCreated(secret)
  }
  return (
    <Dialog title="Create a verification key" onClose={onClose}>
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
          name="kind"
          legend="Kind"
          choices={kinds}
          chosen={kind}
          onChoose={(value) => setKind(readKind(value))}
        />
        {kind === 'publishable' && (
          <TextArea
            name="origins"
            label="Web sites"
            hint="One a line, as https://shop.example. Not needed for apps."
            maxLength={4000}
          />
        )}
      </Form>
    </Dialog>
  )
}
