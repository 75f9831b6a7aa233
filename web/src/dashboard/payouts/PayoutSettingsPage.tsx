import { Link } from 'wouter'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AutopayoutSection } from './AutopayoutSection.tsx'
import { CoolingOffSection } from './CoolingOffSection.tsx'
import { ExcessHoldSection } from './ExcessHoldSection.tsx'
import { LegalProfileSection } from './LegalProfileSection.tsx'
import { LimitsSection } from './LimitsSection.tsx'
import { destinationsPath } from './paths.ts'

/** Settings of payouts. */
export function PayoutSettingsPage() {
  const api = useApi()
  const { business, role } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getPayoutSettings', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="Payout settings"
      tab={`Payout settings · ${business.name}`}
      lead={
        <>
          How carefully money leaves, and who sends it. Where it may go is under{' '}
          <Link href={destinationsPath(business.id)}>Payout destinations</Link>.
        </>
      }
    >
      <AutopayoutSection />
      <Loaded of={settings}>
        {(value) => (
          <>
            <LimitsSection settings={value} onSaved={settings.put} />
            <CoolingOffSection settings={value} onSaved={settings.put} />
            <ExcessHoldSection settings={value} onSaved={settings.put} />
          </>
        )}
      </Loaded>
      {role === 'owner' ? (
        <LegalProfileSection />
      ) : (
        <Section title="Legal profile" lead="Only owners see the legal profile." />
      )}
    </Page>
  )
}
