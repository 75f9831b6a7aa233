import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useBusiness } from '../business/business.ts'
import { CoolingOffSection } from './CoolingOffSection.tsx'
import { LegalProfileSection } from './LegalProfileSection.tsx'

/** Settings of payouts. */
export function PayoutsPage() {
  const { business, role } = useBusiness()
  return (
    <Page title="Payouts" tab={`Payouts · ${business.name}`} lead="How carefully money leaves, and who sends it.">
      <CoolingOffSection />
      {role === 'owner' ? <LegalProfileSection /> : <Section title="Legal profile" lead="Only owners see the legal profile." />}
    </Page>
  )
}
