import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { zoneLabel } from '../../ui/zone.ts'
import { trimmed } from '../formData.ts'
import { approvalLabels } from '../labels.ts'
import { useSession } from '../session/session.ts'
import { useBusiness } from './business.ts'
import { NotificationsSection } from './NotificationsSection.tsx'
import { OwnersFactorSection } from './OwnersFactorSection.tsx'
import { TimeZoneForm } from './TimeZoneForm.tsx'

/** Name and state of a business. */
export function BusinessPage() {
  const { api, refresh } = useSession()
  const { business, owns, put } = useBusiness()
  const notify = useNotify()
  async function rename(data: FormData): Promise<void> {
    put(
      await api.call('changeBusiness', {
        path: { businessId: business.id },
        body: { name: trimmed(data, 'name') },
      }),
    )
    await refresh()
    notify('The name is changed.')
  }
  async function saveTimeZone(timeZone: string): Promise<void> {
    put(await api.call('changeBusiness', { path: { businessId: business.id }, body: { timeZone } }))
    notify('The time zone is changed.')
  }
  const { label, tone } = approvalLabels[business.approval]
  return (
    <Page title="Business" tab={`Business · ${business.name}`}>
      <Section title="About">
        <Facts
          facts={[
            ['Name', business.name],
            [
              'State',
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
            ],
            ['Time zone', zoneLabel(business.timeZone)],
            ['Business id', <code key="id">{business.id}</code>],
            ['Opened', <Time key="opened" at={business.createdAt} />],
          ]}
        />
      </Section>
      <NotificationsSection />
      {owns && <OwnersFactorSection />}
      {owns && (
        <Section title="Rename" lead="Members and the platform's operators see this name.">
          <Form submit="Save name" send={rename}>
            <Field
              name="name"
              label="Name"
              required
              maxLength={100}
              defaultValue={business.name}
              autoComplete="off"
            />
          </Form>
        </Section>
      )}
      {owns && (
        <Section
          title="Time zone"
          lead="Today, months and statements are by the clocks of this zone, for everyone."
        >
          <TimeZoneForm timeZone={business.timeZone} save={saveTimeZone} />
        </Section>
      )}
    </Page>
  )
}
