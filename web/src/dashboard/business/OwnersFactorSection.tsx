import { useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useApi } from '../session/session.ts'
import { useBusiness } from './business.ts'

/** Whether owners of this business need two-step sign-in. */
export function OwnersFactorSection() {
  const api = useApi()
  const { business, put } = useBusiness()
  const notify = useNotify()
  const [failure, setFailure] = useState<unknown>()
  const ends = business.secondFactorUntil ?? null
  const on = business.ownersNeedSecondFactor && ends === null

  async function change(): Promise<void> {
    setFailure(undefined)
    try {
      const saved = await api.call('setOwnersFactor', {
        path: { businessId: business.id },
        body: { ownersNeedSecondFactor: !on },
      })
      put(saved)
      if (saved.waitingApproval) notify('A second owner has to approve that.')
      else
        notify(
          on
            ? 'It ends when the cooling-off time has passed.'
            : 'Owners and developers need two-step sign-in from now on.',
        )
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <Section
      title="Two-step sign-in of owners and developers"
      lead="Where it is required, an owner who has signed in with the password alone can do nothing here, and a developer can change nothing, in the dashboard or by an access token."
    >
      <p className="state-line">
        <Badge tone={business.ownersNeedSecondFactor ? 'good' : 'plain'}>
          {business.ownersNeedSecondFactor ? 'Required' : 'Not required'}
        </Badge>
        {ends !== null && (
          <span className="fine">
            until <Time at={ends} />
          </span>
        )}
      </p>
      {failure !== undefined && <Failed error={failure} />}
      <div className="button-row">
        <button type="button" className="button" onClick={() => void change()}>
          {on ? 'Stop requiring it' : 'Require it'}
        </button>
      </div>
    </Section>
  )
}
