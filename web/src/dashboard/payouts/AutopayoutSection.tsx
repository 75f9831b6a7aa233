import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AutopayoutForm } from './AutopayoutForm.tsx'

/** As many as the API lists at once. */
const maxListed = 100

/** Autopayout: all members see it, an owner changes it. */
export function AutopayoutSection() {
  const api = useApi()
  const { business, changeable, owns } = useBusiness()
  const path = { businessId: business.id }
  const settings = useLoaded(business.id, (signal) => api.call('getAutopayout', { path, signal }))
  const saved = useLoaded(business.id, (signal) => api.call('listPayoutDestinationsOfBusiness', { path, query: { limit: maxListed }, signal }))
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Autopayout"
      lead={`Pays out each payment as soon as it is final. A change applies to payments that are paid from now on.${whoChanges}`}
    >
      <Loaded of={settings}>
        {(value) => (
          <Loaded of={saved}>{({ destinations }) => <AutopayoutForm settings={value} destinations={destinations} onSaved={settings.put} />}</Loaded>
        )}
      </Loaded>
    </Section>
  )
}
