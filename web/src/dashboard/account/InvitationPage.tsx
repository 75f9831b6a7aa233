import { useState } from 'react'
import { Redirect } from 'wouter'
import { NotFoundError } from '../../../../client/index.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { invitationToken } from '../invitationLink.ts'
import { useSession } from '../session/session.ts'
import { AlonePage } from '../shell/AlonePage.tsx'
import type { Me } from '../types.ts'
import { AcceptForm } from './AcceptForm.tsx'
import { EndingMemberships } from './EndingMemberships.tsx'
import { invitationLabels, invitationTitle } from './invitationLabels.ts'
import { JoinForm } from './JoinForm.tsx'

/**
 * The page of an invitation's link. Its token stays in the fragment and in request bodies, never in a URL
 * that is sent.
 */
export function InvitationPage() {
  const { api, now, refresh, signedIn } = useSession()
  const [token] = useState(() => invitationToken(location.hash))
  const [done, setDone] = useState(false)
  const seen = useLoaded(token ?? '', async (signal) => (token ? lookAt(token, signal) : null))

  async function lookAt(given: string, signal: AbortSignal) {
    try {
      return await api.call('lookAtInvitation', { body: { token: given }, signal })
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  }

  function finish(me: Me): void {
    signedIn(me)
    setDone(true)
  }

  if (done && now.state !== 'in') return <Redirect to="/sign-in" replace />
  if (done) return <Redirect to="/" replace />
  const invitation = seen.now.state === 'ready' ? seen.now.value : undefined
  return (
    <AlonePage>
      <Page title={invitation ? invitationTitle(invitation) : 'Invitation'}>
        <Loaded of={seen}>
          {(value) =>
            !value || !token ? (
              <p>
                This link does not work. It was already used, withdrawn, or has expired. Ask the person who
                sent it for a new one.
              </p>
            ) : (
              <>
                <p>{invitationLabels(value)}</p>
                {value.ends.length > 0 && <EndingMemberships ends={value.ends} />}
                {value.purpose !== 'reset' && value.hasAccount ? (
                  <Loaded
                    of={{
                      now:
                        now.state === 'loading' || now.state === 'failed'
                          ? now
                          : { state: 'ready', value: now },
                      reload: () => void refresh(),
                    }}
                  >
                    {() => <JoinForm token={token} invitation={value} onJoined={finish} />}
                  </Loaded>
                ) : (
                  <AcceptForm
                    token={token}
                    invitation={value}
                    onAccepted={finish}
                    onSet={() => setDone(true)}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </Page>
    </AlonePage>
  )
}
