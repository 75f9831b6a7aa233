import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { trimmed } from '../formData.ts'
import { useMe, useSession } from '../session/session.ts'

export function NameSection() {
  const { api, signedIn } = useSession()
  const { account } = useMe()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    signedIn(await api.call('changeAccount', { body: { name: trimmed(data, 'name') } }))
    notify('Your name is changed.')
  }
  return (
    <Section title="You">
      <Facts
        facts={[
          ['Email', account.email],
          ['Member since', <Time key="since" at={account.createdAt} />],
        ]}
      />
      <Form submit="Save name" send={send}>
        <Field
          name="name"
          label="Name"
          required
          maxLength={100}
          defaultValue={account.name}
          autoComplete="name"
        />
      </Form>
    </Section>
  )
}
