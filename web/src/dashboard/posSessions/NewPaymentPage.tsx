import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { NewPaymentForm } from './NewPaymentForm.tsx'
import { sessionsPath } from './paths.ts'
import { tokensOf } from './paymentForm.ts'

/** Starts a payment, and leads to its page, where its code and link are. */
export function NewPaymentPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getPaymentSettings', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="New payment"
      tab={`New payment · ${business.name}`}
      lead={<Link href={sessionsPath(business.id)}>All payments</Link>}
    >
      <Loaded of={settings}>
        {(value) => {
          if (!develops)
            return (
              <Empty title="You cannot request a payment for this business.">
                <p>Its developers and owners can, unless it is suspended.</p>
              </Empty>
            )
          if (tokensOf(value).length > 0) return <NewPaymentForm settings={value} />
          return (
            <Empty title="This business accepts no token yet.">
              <p>
                Choose what it accepts in its{' '}
                <Link href={`${businessPath(business.id)}/settings/payments`}>payment settings</Link>.
              </p>
            </Empty>
          )
        }}
      </Loaded>
    </Page>
  )
}
