import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { NewLinkForm } from './NewLinkForm.tsx'
import { paymentLinksPath } from './paths.ts'

/** Makes a payment link, and leads to its page, where its code and address are. */
export function NewPaymentLinkPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const settings = useLoaded(business.id, (signal) =>
    api.call('getPaymentSettings', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="New payment link"
      tab={`New payment link · ${business.name}`}
      lead={<Link href={paymentLinksPath(business.id)}>All payment links</Link>}
    >
      <Loaded of={settings}>
        {(value) =>
          develops ? (
            <NewLinkForm settings={value} />
          ) : (
            <Empty title="You cannot make a payment link for this business.">
              <p>Its developers and owners can, unless it is suspended.</p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}
