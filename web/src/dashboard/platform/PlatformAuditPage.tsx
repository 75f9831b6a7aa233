import { Link, useSearchParams } from 'wouter'
import { Page } from '../../ui/Page.tsx'
import { AuditLog } from '../audit/AuditLog.tsx'
import { useApi } from '../session/session.ts'

/** Of the whole platform, or of the business in the page's URL. */
export function PlatformAuditPage() {
  const api = useApi()
  const [search] = useSearchParams()
  const businessId = search.get('businessId') ?? undefined
  return (
    <Page
      title="Platform audit log"
      lead={
        businessId ? (
          <>
            What was changed in one business. <Link href="/platform/audit">Show all</Link>
          </>
        ) : (
          'What was changed in every business and on the platform itself.'
        )
      }
    >
      <AuditLog
        of={`platform ${businessId ?? ''}`}
        list={(query, signal) => api.call('listAllAudit', { query: { ...query, businessId }, signal })}
        kept={businessId ? { businessId } : {}}
        withBusiness
      />
    </Page>
  )
}
