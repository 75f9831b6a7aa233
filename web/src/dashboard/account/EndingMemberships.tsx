import { roleLabels } from '../labels.ts'
import type { InvitationSeen } from '../types.ts'

/** The memberships that a new password ends, because another person may have used the account before. */
export function EndingMemberships({ ends }: Pick<InvitationSeen, 'ends'>) {
  return (
    <aside className="notice warn" aria-label="Memberships that end">
      <p>
        This address was not proven when the account joined these. You leave them, and can be invited again:
      </p>
      <ul>
        {ends.map(({ businessName, role }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the list never changes
          <li key={index}>
            {businessName} ({roleLabels[role].label.toLowerCase()})
          </li>
        ))}
      </ul>
    </aside>
  )
}
