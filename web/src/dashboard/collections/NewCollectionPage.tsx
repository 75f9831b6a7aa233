import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { CollectionForm } from './CollectionForm.tsx'
import { NoPartner } from './NoPartner.tsx'
import { collectionsPath } from './paths.ts'

export function NewCollectionPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const options = useLoaded(business.id, (signal) =>
    api.call('getCollectionOptions', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="Collect"
      tab={`Collect · ${business.name}`}
      lead={<Link href={collectionsPath(business.id)}>All collections</Link>}
    >
      <Loaded of={options}>
        {(value) => {
          if (value.partner === null) return <NoPartner />
          if (!develops)
            return (
              <Empty title="You cannot collect for this business.">
                <p>Its developers and owners can, unless it is suspended.</p>
              </Empty>
            )
          if (value.channels.length > 0 && value.networks.length > 0)
            return <CollectionForm options={value} />
          return (
            <Empty title="Nothing can be collected right now.">
              <p>
                {value.channels.length === 0
                  ? 'The partner offers no channel.'
                  : 'The partner does not settle on this deployment’s networks.'}
              </p>
            </Empty>
          )
        }}
      </Loaded>
    </Page>
  )
}
