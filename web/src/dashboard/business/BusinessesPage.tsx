import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { approvalLabels, roleLabels } from '../labels.ts'
import { useMe } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { NewBusinessDialog } from './NewBusinessDialog.tsx'

export function BusinessesPage() {
  const { businesses } = useMe()
  const [opening, setOpening] = useState(false)
  return (
    <Page
      title="Your businesses"
      lead="Choose a business to work with."
      actions={
        <button type="button" className="button primary" onClick={() => setOpening(true)}>
          Open a business
        </button>
      }
    >
      {businesses.length === 0 ? (
        <Empty title="You belong to no business yet.">
          <p>Open one, or ask its owner for an invitation.</p>
        </Empty>
      ) : (
        <ul className="tiles" aria-label="Your businesses">
          {businesses.map(({ id, name, role, approval }) => (
            <li className="tile" key={id}>
              <Link href={businessPath(id)}>{name}</Link>
              <p className="fine">
                You are {role === 'owner' ? 'an' : 'a'} {roleLabels[role].label.toLowerCase()}.
              </p>
              <Badge tone={approvalLabels[approval].tone}>{approvalLabels[approval].label}</Badge>
            </li>
          ))}
        </ul>
      )}
      {opening && <NewBusinessDialog onClose={() => setOpening(false)} />}
    </Page>
  )
}
