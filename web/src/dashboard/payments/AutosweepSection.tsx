import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AutosweepForm } from './AutosweepForm.tsx'

/** Autosweep: all members see it, an owner changes it. */
export function AutosweepSection() {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getAutosweep', { path: { businessId: business.id }, signal }),
  )
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Autosweep"
      lead={`Moves what customers paid from their deposit addresses to the platform's treasury. An address with less than you set here waits.${whoChanges}`}
    >
      <Loaded of={settings}>{(value) => <AutosweepForm settings={value} onSaved={settings.put} />}</Loaded>
    </Section>
  )
}
