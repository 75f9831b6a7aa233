import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AcceptedForm } from './AcceptedForm.tsx'
import { AmountLimitsSection } from './AmountLimitsSection.tsx'
import { AutosweepSection } from './AutosweepSection.tsx'
import { FeesSection } from './FeesSection.tsx'
import { LogoSection } from './LogoSection.tsx'
import { ReturnHostsSection } from './ReturnHostsSection.tsx'
import { ToleranceSection } from './ToleranceSection.tsx'

/** Settings of payments. */
export function PaymentSettingsPage() {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getPaymentSettings', { path: { businessId: business.id }, signal }),
  )
  const whoChanges = owns
    ? 'A change applies to payments that start from now on.'
    : 'Only an owner can change this.'
  return (
    <Page
      title="Payment settings"
      tab={`Payment settings · ${business.name}`}
      lead="How your customers pay, and what it costs you."
    >
      <Loaded of={settings}>
        {(value) => (
          <>
            <Section
              title="What you accept"
              lead={changeable ? whoChanges : 'This cannot be changed while the business is suspended.'}
            >
              <AcceptedForm settings={value} onSaved={settings.put} />
            </Section>
            <AmountLimitsSection settings={value} />
            <ToleranceSection settings={value} onSaved={settings.put} />
            <LogoSection settings={value} onSaved={settings.put} />
            <ReturnHostsSection settings={value} onSaved={settings.put} />
            <AutosweepSection />
            <FeesSection settings={value} onSaved={settings.reload} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
