import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { keyStateLabels } from '../labels.ts'
import type { ApiKey } from '../types.ts'
import { LastUse } from './LastUse.tsx'

/** Everything about a key except its secret. */
export function KeyFacts({ apiKey, keysPath }: { apiKey: ApiKey; keysPath: string }) {
  const { label, tone } = keyStateLabels[apiKey.state]
  return (
    <Facts
      facts={[
        [
          'State',
          <Badge key="state" tone={tone}>
            {label}
          </Badge>,
        ],
        ['Begins with', <code key="prefix">{apiKey.prefix}…</code>],
        ['Scope', apiKey.scope === 'write' ? 'Write: reads, changes and sends' : 'Read: reads only'],
        [
          'Permissions',
          apiKey.permissions ? (
            <Lines key="permissions" of={apiKey.permissions} />
          ) : (
            <div key="permissions">
              Everything that only reads{apiKey.writePermissions.length > 0 && ', and:'}
              <Lines of={apiKey.writePermissions} />
            </div>
          ),
        ],
        [
          'Allowed addresses',
          apiKey.allowedAddresses ? <Lines key="addresses" of={apiKey.allowedAddresses} /> : 'From anywhere',
        ],
        ['Requests per minute', apiKey.requestsPerMinute ?? 'As many as the business may'],
        ['Last used', <LastUse key="use" apiKey={apiKey} />],
        ['Expires', apiKey.expiresAt ? <Time key="expires" at={apiKey.expiresAt} /> : 'Never'],
        ['Created', <Time key="created" at={apiKey.createdAt} />],
        ['Created by', apiKey.createdBy ?? 'Made with the deployment'],
        ...(apiKey.revokedAt
          ? [['Revoked', <Time key="revoked" at={apiKey.revokedAt} />] satisfies [string, React.ReactNode]]
          : []),
        ...(apiKey.replacedBy
          ? [
              [
                'Replaced by',
                <Link key="by" href={`${keysPath}/${encodeURIComponent(apiKey.replacedBy)}`}>
                  The key that it was rotated to
                </Link>,
              ] satisfies [string, React.ReactNode],
            ]
          : []),
      ]}
    />
  )
}

function Lines({ of }: { of: string[] }) {
  return (
    <ul className="lines">
      {of.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  )
}
