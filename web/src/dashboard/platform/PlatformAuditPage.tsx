import { Page } from '../../ui/Page.tsx'
import { AuditLog } from '../audit/AuditLog.tsx'
import { useApi } from '../session/session.ts'

export function PlatformAuditPage() {
  const api = useApi()
  return (
    <Page title="Platform audit log" lead="What was changed in every business and on the platform itself.">
      <AuditLog
        of="platform"
        list={(query, signal) => api.call('listAllAudit', { query, signal })}
        withBusiness
      />
    </Page>
  )
}
