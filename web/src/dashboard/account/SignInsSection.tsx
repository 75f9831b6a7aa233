import { useState } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { leaveForSignIn } from '../session/leave.ts'
import { useApi } from '../session/session.ts'
import type { SignIn } from '../types.ts'
import { SignInTable } from './SignInTable.tsx'

export function SignInsSection() {
  const api = useApi()
  const notify = useNotify()
  const signIns = useLoaded('', (signal) => api.call('listSignIns', { signal }))
  const [open, setOpen] = useState<{ what: 'everywhere' } | { what: 'one'; signIn: SignIn }>()
  const close = () => setOpen(undefined)

  async function end(signIn: SignIn): Promise<void> {
    await api.call('revokeSignIn', { path: { signInId: signIn.id } })
    close()
    signIns.reload()
    notify('That sign-in has ended.')
  }

  async function everywhere(): Promise<void> {
    await api.call('signOutEverywhere')
    leaveForSignIn()
  }

  return (
    <Section
      title="Where you are signed in"
      lead="End any sign-in that you do not recognize, then change your password."
    >
      <Loaded of={signIns}>
        {(answer) => (
          <SignInTable signIns={answer.signIns} onEnd={(signIn) => setOpen({ what: 'one', signIn })} />
        )}
      </Loaded>
      <div className="button-row">
        <button type="button" className="button danger" onClick={() => setOpen({ what: 'everywhere' })}>
          Sign out everywhere
        </button>
      </div>
      {open?.what === 'one' && (
        <ConfirmDialog
          title="End this sign-in?"
          confirm="End sign-in"
          onClose={close}
          act={() => end(open.signIn)}
        >
          <p>That device has to sign in again.</p>
        </ConfirmDialog>
      )}
      {open?.what === 'everywhere' && (
        <ConfirmDialog
          title="Sign out everywhere?"
          confirm="Sign out everywhere"
          onClose={close}
          act={everywhere}
        >
          <p>
            Every session and every access token of your account ends, including this one. API keys keep
            working.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
