import { Page } from '../../ui/Page.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { AuditLog } from './AuditLog.tsx'

export function BusinessAuditPage() {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  return (
    <Page
      title="Audit log"
      tab={`Audit log · ${business.name}`}
      lead="Who changed what, and from where. Entries cannot be changed or deleted."
    >
      <AuditLog of={business.id} list={(query, signal) => api.call('listAudit', { path, query, signal })} />
    </Page>
  )
}
