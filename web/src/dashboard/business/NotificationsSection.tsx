import { useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useApi } from '../session/session.ts'
import { useBusiness } from './business.ts'
import { type Notifications, notificationChoices } from './notificationChoices.ts'

/** Which events of the business the signed-in member is mailed about. */
export function NotificationsSection() {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  const choice = useLoaded(business.id, (signal) => api.call('getNotifications', { path, signal }))
  return (
    <Section
      title="Notifications"
      lead="Mails to you about events of this business. Other members choose their own. Many events of a kind come in one mail."
    >
      <Loaded of={choice}>
        {(value) => (
          <NotificationsForm
            of={value}
            save={async (kinds) => choice.put(await api.call('setNotifications', { path, body: { kinds } }))}
          />
        )}
      </Loaded>
    </Section>
  )
}

interface Props {
  of: Notifications
  save: (kinds: Notifications['kinds']) => Promise<void>
}

function NotificationsForm({ of, save }: Props) {
  const notify = useNotify()
  const [kinds, setKinds] = useState(of.kinds)
  async function send(): Promise<void> {
    await save(kinds)
    notify('Your notifications are saved.')
  }
  return (
    <Form submit="Save notifications" send={send}>
      {!of.sendsMail && <p className="notice warn">This platform sends no mail: nothing of this arrives.</p>}
      {of.sendsMail && !of.emailProven && (
        <p className="notice warn">
          Confirm your address first, under Account: mails go to confirmed addresses only.
        </p>
      )}
      <fieldset className="field choices">
        <legend>Mail {of.email} when</legend>
        {notificationChoices.map(({ kind, label, hint }) => (
          <Checkbox
            key={kind}
            name="kinds"
            value={kind}
            label={label}
            hint={hint}
            checked={kinds.includes(kind)}
            onChange={(checked) =>
              setKinds(checked ? [...kinds, kind] : kinds.filter((each) => each !== kind))
            }
          />
        ))}
      </fieldset>
    </Form>
  )
}
