import { Link } from 'wouter'
import { Time } from '../../ui/Time.tsx'
import type { AuditEntry } from '../types.ts'
import { ChangeTable } from './ChangeTable.tsx'
import { actionLabels } from './changes.ts'
import { subjectKind, subjectPath } from './subjectPath.ts'

const actorKinds: Record<AuditEntry['actor']['kind'], string> = {
  account: '',
  api_key: 'API key ',
  system: 'Command ',
}

/** One entry: action, actor, time and origin; its changes are folded. */
export function AuditEntryItem({ entry, withBusiness }: { entry: AuditEntry; withBusiness: boolean }) {
  return (
    <li className="entry">
      <div className="entry-head">
        <span className="strong">{actionLabels(entry.action)}</span>
        <Time at={entry.at} />
      </div>
      <p className="entry-subject">
        <Subject entry={entry} withBusiness={withBusiness} />
      </p>
      <p className="fine">
        By {actorKinds[entry.actor.kind]}
        {entry.actor.label}
        {entry.address && ` from ${entry.address}`}
      </p>
      <details>
        <summary>
          Details<span className="unseen"> of {actionLabels(entry.action)}</span>
        </summary>
        {(entry.before || entry.after) && <ChangeTable before={entry.before} after={entry.after} />}
        <dl className="facts small">
          <Fact name="Action" value={entry.action} />
          <Fact name="Target" value={entry.target} />
          {withBusiness && <Fact name="Business" value={entry.businessId} />}
          <Fact name="Actor" value={entry.actor.id} />
          <Fact name="Request" value={entry.requestId} />
        </dl>
      </details>
    </li>
  )
}

/** What was changed, in words; on the platform's page with its business. */
function Subject({ entry, withBusiness }: { entry: AuditEntry; withBusiness: boolean }) {
  const { subject, target, businessId, businessName } = entry
  const of = withBusiness && businessId !== null && subject?.kind !== 'business'
  return (
    <>
      {subject ? (
        <>
          {subjectKind(subject.kind)}{' '}
          <Named subject={subject} businessId={withBusiness ? null : businessId} />
        </>
      ) : (
        target && <code>{target}</code>
      )}
      {of && (
        <>
          {' '}
          of{' '}
          <Link href={`/platform/businesses/${encodeURIComponent(businessId)}`}>
            {businessName ?? businessId}
          </Link>
        </>
      )}
    </>
  )
}

function Named({
  subject,
  businessId,
}: {
  subject: NonNullable<AuditEntry['subject']>
  businessId: string | null
}) {
  const path = subjectPath(subject, businessId)
  const name = subject.label ?? `…${subject.id.slice(-8)}`
  return path ? (
    <Link href={path} title={subject.id}>
      {name}
    </Link>
  ) : (
    <span title={subject.id}>{name}</span>
  )
}

function Fact({ name, value }: { name: string; value: string | null }) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  )
}
