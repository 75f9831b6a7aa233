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
  const loaded = useLoaded(business.id, async (signal) => {
    const [settings, { destinations }] = await Promise.all([
      api.call('getAutopayout', { path, signal }),
      api.call('listPayoutDestinationsOfBusiness', { path, query: { limit: maxListed }, signal }),
    ])
    return { settings, destinations }
  })
  const whoChanges = changeable && !owns ? ' Only an owner can change this.' : ''
  return (
    <Section
      title="Autopayout"
      lead={`Pays out each payment as soon as it is final. A change applies to payments that are paid from now on.${whoChanges}`}
    >
      <Loaded of={loaded}>
        {(value) => <AutopayoutForm {...value} onSaved={(settings) => loaded.put({ ...value, settings })} />}
      </Loaded>
    </Section>
  )
}
