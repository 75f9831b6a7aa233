import { Empty } from '../../ui/Empty.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { NoPartner } from './NoPartner.tsx'

/** An empty list, and why nothing can come. */
export function NothingYet() {
  const api = useApi()
  const { business } = useBusiness()
  const { now } = useLoaded(business.id, (signal) =>
    api.call('getCollectionOptions', { path: { businessId: business.id }, signal }),
  )
  if (now.state === 'loading') return <Loading />
  // A partner that does not answer is no reason for an empty list.
  if (now.state === 'ready' && now.value.partner === null) return <NoPartner />
  return (
    <Empty title="There is no collection yet.">
      <p>A new one shows you the bank account that your customer pays into.</p>
    </Empty>
  )
}
