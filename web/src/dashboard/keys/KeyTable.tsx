import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { keyStateLabels } from '../labels.ts'
import { businessPath } from '../shell/navigation.ts'
import type { ApiKey } from '../types.ts'
import { LastUse } from './LastUse.tsx'

export function KeyTable({ keys, businessId }: { keys: ApiKey[]; businessId: string }) {
  return (
    <DataTable
      caption="API keys"
      rows={keys}
      keyOf={(key) => key.id}
      columns={[
        {
          head: 'Name',
          cell: (key) => (
            <>
              <Link
                className="strong"
                href={`${businessPath(businessId)}/settings/api-keys/${encodeURIComponent(key.id)}`}
              >
                {key.name}
              </Link>
              <code className="fine">{key.prefix}…</code>
            </>
          ),
        },
        { head: 'Scope', cell: (key) => (key.scope === 'write' ? 'Write' : 'Read') },
        {
          head: 'State',
          cell: (key) => (
            <Badge tone={keyStateLabels[key.state].tone}>{keyStateLabels[key.state].label}</Badge>
          ),
        },
        { head: 'Last used', cell: (key) => <LastUse apiKey={key} /> },
      ]}
    />
  )
}
