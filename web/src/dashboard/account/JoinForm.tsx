import { useState } from 'react'
import { Failed } from '../../ui/Failed.tsx'
import { Form } from '../../ui/Form.tsx'
import { SignInForm } from '../session/SignInForm.tsx'
import { useSession } from '../session/session.ts'
import type { InvitationSeen, Me } from '../types.ts'

interface Props {
  token: string
  invitation: InvitationSeen
  onJoined: (me: Me) => void
}

/** Joins with an existing account: the signed-in one, or after signing in. */
export function JoinForm({ token, invitation, onJoined }: Props) {
  const { api, now, signedIn, signedOut } = useSession()
  const [failure, setFailure] = useState<unknown>()

  async function join(): Promise<void> {
    onJoined(await api.call('joinByInvitation', { body: { token } }))
  }

  async function joinAs(me: Me): Promise<void> {
    try {
      await join()
    } catch (error) {
      // Signing in succeeded: show the error next to the button to join.
      setFailure(error)
      signedIn(me)
    }
  }

  async function signOut(): Promise<void> {
    await api.call('signOut')
    signedOut()
  }

  if (now.state !== 'in') return <SignInForm email={invitation.email} onSignedIn={joinAs} />
  const { email } = now.me.account
  if (email !== invitation.email) {
    return (
      <Form key="out" submit="Sign out" send={signOut}>
        <p>
          You are signed in as {email}. Sign out first, then sign in as {invitation.email}.
        </p>
      </Form>
    )
  }
  return (
    <>
      {failure !== undefined && <Failed error={failure} />}
      <Form key="join" submit={submitOf(invitation)} send={join}>
        <p>You are signed in as {email}.</p>
      </Form>
    </>
  )
}

function submitOf({ purpose, businessName }: InvitationSeen): string {
  if (purpose === 'prove') return 'This is my address'
  return businessName ? `Join ${businessName}` : 'Join'
}
