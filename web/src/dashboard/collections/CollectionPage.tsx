import { useState } from 'react'
import { Link } from 'wouter'
import { Failed } from '../../ui/Failed.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { CancelCollectionDialog } from './CancelCollectionDialog.tsx'
import { CollectionFacts } from './CollectionFacts.tsx'
import { isOpen } from './collectionLabels.ts'
import { collectionTimeline } from './collectionTimeline.ts'
import { PayInto } from './PayInto.tsx'
import { collectionsPath } from './paths.ts'
import { SettlementFacts } from './SettlementFacts.tsx'
import { useRefresh } from './useRefresh.ts'

/**
 * One collection: where the customer pays, where it is settled, what is known of it, and what can be done.
 */
export function CollectionPage({ collectionId }: { collectionId: string }) {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [cancelling, setCancelling] = useState(false)
  const path = { businessId: business.id, id: collectionId }
  const loaded = useLoaded(`${business.id} ${collectionId}`, (signal) =>
    api.call('getCollectionOfBusiness', { path, signal }),
  )
  const { refresh, refreshing, failure } = useRefresh(loaded)
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  return (
    <Page
      title={present ? `Collection of ${present.amount} ${present.currency}` : 'Collection'}
      tab={`Collection · ${business.name}`}
      lead={<Link href={collectionsPath(business.id)}>All collections</Link>}
      actions={
        present && (
          <>
            <button
              type="button"
              className="button"
              aria-disabled={refreshing}
              onClick={() => void refresh()}
            >
              Refresh
            </button>
            {develops && isOpen(present) && (
              <button type="button" className="button danger" onClick={() => setCancelling(true)}>
                Cancel collection
              </button>
            )}
          </>
        )
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <Loaded of={loaded}>
        {(collection) => (
          <>
            <CollectionFacts collection={collection} />
            <PayInto collection={collection} />
            <SettlementFacts collection={collection} />
            <Section title="What is known">
              <Timeline label="What is known" happenings={collectionTimeline(collection)} />
            </Section>
            {collection.metadata && (
              <Section title="Metadata">
                <pre className="block">{JSON.stringify(collection.metadata, null, 2)}</pre>
              </Section>
            )}
          </>
        )}
      </Loaded>
      {cancelling && present && (
        <CancelCollectionDialog
          collection={present}
          onClose={() => setCancelling(false)}
          onDone={loaded.put}
          onOutdated={loaded.reload}
        />
      )}
    </Page>
  )
}
