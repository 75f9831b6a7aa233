import { useState } from 'react'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Section } from '../../ui/Section.tsx'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'

export function PasswordSection() {
  const api = useApi()
  const notify = useNotify()
  const [changed, setChanged] = useState(0)
  async function send(data: FormData): Promise<void> {
    await api.call('changePassword', {
      body: { currentPassword: textOf(data, 'currentPassword'), newPassword: textOf(data, 'newPassword') },
    })
    setChanged(changed + 1)
    notify('Your password is changed. You are signed out on all other devices.')
  }
  return (
    <Section title="Password" lead="Changing it signs you out on all other devices.">
      <Form key={changed} submit="Change password" send={send}>
        <PasswordField name="currentPassword" label="Current password" />
        <PasswordField name="newPassword" label="New password" isNew />
      </Form>
    </Section>
  )
}
