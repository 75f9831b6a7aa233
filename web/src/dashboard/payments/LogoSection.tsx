import { useState } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { logoFile } from './logoFile.ts'

interface Props {
  settings: PaymentSettings
  onSaved: (settings: PaymentSettings) => void
}

/** The logo that customers see: an owner changes it. */
export function LogoSection({ settings: { logo }, onSaved }: Props) {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const [isRemoving, setIsRemoving] = useState(false)
  const path = { businessId: business.id }
  async function send(data: FormData): Promise<void> {
    const file = data.get('image')
    if (!(file instanceof File) || file.size === 0) throw new FieldProblem({ image: 'Choose a file.' })
    onSaved(await api.call('setLogo', { path, body: { image: await logoFile(file) } }))
    notify('The logo is saved.')
  }
  async function remove(): Promise<void> {
    onSaved(await api.call('removeLogo', { path }))
    setIsRemoving(false)
    notify('The logo is removed.')
  }
  return (
    <Section title="Logo" lead="Your customers see it on the checkout page and its receipt, and on the till.">
      {logo === null ? (
        <p>No logo yet: the page shows your name alone.</p>
      ) : (
        <div className="logo-row">
          <img className="logo" src={logo} alt={`The logo of ${business.name}`} />
          {owns && (
            <button type="button" className="button" onClick={() => setIsRemoving(true)}>
              Remove
            </button>
          )}
        </div>
      )}
      {owns && (
        <Form key={logo} submit={logo === null ? 'Save logo' : 'Replace logo'} send={send}>
          <Field
            name="image"
            label="Image"
            hint="PNG, JPEG or WebP. A large one is made smaller."
            type="file"
            accept="image/png,image/jpeg,image/webp"
            required
          />
        </Form>
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Remove the logo?"
          confirm="Remove the logo"
          act={remove}
          onClose={() => setIsRemoving(false)}
        >
          <p>Checkout page and till show your name alone again.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
