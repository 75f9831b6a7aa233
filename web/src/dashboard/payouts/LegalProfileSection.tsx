import { Empty } from '../../ui/Empty.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { countryName } from './payoutLabels.ts'
import type { LegalProfile } from './types.ts'

/** The business's legal profile, for owners. Masked fields are written again with each change. */
export function LegalProfileSection() {
  const api = useApi()
  const { business, owns } = useBusiness()
  const notify = useNotify()
  const path = { businessId: business.id }
  const loaded = useLoaded(business.id, (signal) => api.call('getLegalProfile', { path, signal }))
  async function send(data: FormData): Promise<void> {
    const body = {
      businessName: trimmed(data, 'businessName'),
      registrationNumber: trimmed(data, 'registrationNumber'),
      country: trimmed(data, 'country').toUpperCase(),
      address: trimmed(data, 'address'),
      phone: trimmed(data, 'phone'),
      email: trimmed(data, 'email'),
    }
    loaded.put(await api.call('setLegalProfile', { path, body }))
    notify('The legal profile is saved.')
  }
  return (
    <Section
      title="Legal profile"
      lead="Sent to our partner as the sender of bank payouts. Only owners see it."
    >
      <Loaded of={loaded}>
        {({ profile }) => (
          <>
            {profile ? (
              <Profile profile={profile} />
            ) : (
              <Empty title="There is no legal profile yet. Bank payouts will need one." />
            )}
            {owns && (
              <Form
                key={profile?.updatedAt}
                submit={profile ? 'Replace profile' : 'Save profile'}
                send={send}
              >
                {profile && (
                  <p className="fine">
                    Write registration number, phone and email again: they are not shown whole.
                  </p>
                )}
                <Fields profile={profile} />
              </Form>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Profile({
  profile: { businessName, registrationNumber, country, address, phone, email, updatedAt },
}: {
  profile: LegalProfile
}) {
  return (
    <Facts
      facts={[
        ['Registered name', businessName],
        ['Registration number', registrationNumber],
        ['Country', countryName(country)],
        ['Address', address],
        ['Phone', phone],
        ['Email', email],
        ['Changed', <Time key="changed" at={updatedAt} />],
      ]}
    />
  )
}

function Fields({ profile }: { profile: LegalProfile | null }) {
  return (
    <>
      <Field
        name="businessName"
        label="Registered name"
        required
        maxLength={200}
        defaultValue={profile?.businessName}
        autoComplete="off"
      />
      <Field
        name="registrationNumber"
        label="Registration number"
        hint="As the register of companies has it."
        required
        maxLength={60}
        autoComplete="off"
      />
      <Field
        name="country"
        label="Country"
        hint="Two letters, such as NG."
        required
        minLength={2}
        maxLength={2}
        defaultValue={profile?.country}
        autoComplete="off"
      />
      <Field
        name="address"
        label="Address"
        required
        maxLength={200}
        defaultValue={profile?.address}
        autoComplete="off"
      />
      <Field
        name="phone"
        label="Phone"
        hint="With the country's code, such as +2348012345678."
        type="tel"
        required
        maxLength={16}
        autoComplete="off"
      />
      <Field name="email" label="Email" type="email" required maxLength={254} autoComplete="off" />
    </>
  )
}
