import { useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Section } from '../../ui/Section.tsx'
import { useApi, useMe } from '../session/session.ts'

/** Has the account prove its address; only if Cowry sends mail. */
export function AddressSection() {
  const api = useApi()
  const { account, mail } = useMe()
  const [asked, setAsked] = useState<'not yet' | 'sending' | 'sent'>('not yet')
  const [failure, setFailure] = useState<unknown>()
  if (!mail) return null

  async function ask(): Promise<void> {
    setAsked('sending')
    setFailure(undefined)
    try {
      await api.call('proveAddress')
      setAsked('sent')
    } catch (error) {
      setFailure(error)
      setAsked('not yet')
    }
  }

  return (
    <Section
      title="Your address"
      lead="Confirm that you read the mail of this address. Until then, setting a new password takes you out of all businesses: someone who does not own the address could have opened the account."
    >
      <p className="state-line">
        <Badge tone={account.emailProven ? 'good' : 'plain'}>
          {account.emailProven ? 'Confirmed' : 'Not confirmed'}
        </Badge>
        {asked === 'sent' && (
          <span role="status">A mail is on its way to {account.email}. Open its link in this browser.</span>
        )}
      </p>
      {failure !== undefined && <Failed error={failure} />}
      {!account.emailProven && asked !== 'sent' && (
        <div className="button-row">
          <button
            type="button"
            className="button primary"
            disabled={asked === 'sending'}
            onClick={() => void ask()}
          >
            Mail me a link
          </button>
        </div>
      )}
    </Section>
  )
}
