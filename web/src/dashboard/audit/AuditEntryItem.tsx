import { Time } from '../../ui/Time.tsx'
import type { AuditEntry } from '../types.ts'
import { ChangeTable } from './ChangeTable.tsx'
import { actionLabels } from './changes.ts'

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
      <p className="fine">
        {actorKinds[entry.actor.kind]}
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
