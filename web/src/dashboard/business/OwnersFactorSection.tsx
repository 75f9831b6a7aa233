import { useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useApi } from '../session/session.ts'
import { useBusiness } from './business.ts'

/** Whether owners of this business need two-step sign-in. */
export function OwnersFactorSection() {
  const api = useApi()
  const { business, put } = useBusiness()
  const notify = useNotify()
  const [failure, setFailure] = useState<unknown>()
  const on = business.ownersNeedSecondFactor

  async function change(): Promise<void> {
    setFailure(undefined)
    try {
      put(await api.call('setOwnersFactor', { path: { businessId: business.id }, body: { ownersNeedSecondFactor: !on } }))
      notify(on ? 'Owners may sign in with the password alone.' : 'Owners need two-step sign-in from now on.')
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <Section
      title="Two-step sign-in of owners"
      lead="Where it is required, an owner who has signed in with the password alone can do nothing here, in the dashboard or by an access token."
    >
      <p className="state-line">
        <Badge tone={on ? 'good' : 'plain'}>{on ? 'Required' : 'Not required'}</Badge>
      </p>
      {failure !== undefined && <Failed error={failure} />}
      <div className="button-row">
        <button type="button" className="button" onClick={() => void change()}>
          {on ? 'Stop requiring it' : 'Require it of owners'}
        </button>
      </div>
    </Section>
  )
}
