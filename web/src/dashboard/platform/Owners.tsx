import { Fragment } from 'react'
import { Email } from '../../ui/Email.tsx'

/** The emails of a business's owners. */
export function Owners({ of }: { of: string[] }) {
  if (of.length === 0) return 'Invited, not joined yet'
  return (
    <span>
      {of.map((email, index) => (
        <Fragment key={email}>
          {index > 0 && ', '}
          <Email of={email} />
        </Fragment>
      ))}
    </span>
  )
}
