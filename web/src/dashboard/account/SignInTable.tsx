import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { exactTime } from '../../ui/localTime.ts'
import { Time } from '../../ui/Time.tsx'
import type { SignIn } from '../types.ts'
import { deviceOf } from './device.ts'

interface Props {
  signIns: SignIn[]
  onEnd: (signIn: SignIn) => void
}

const madeWith = ({ kind, userAgent }: SignIn): string =>
  kind === 'token' ? 'Access token' : deviceOf(userAgent)

export function SignInTable({ signIns, onEnd }: Props) {
  return (
    <DataTable
      caption="Sign-ins"
      rows={signIns}
      keyOf={(signIn) => signIn.id}
      columns={[
        {
          head: 'Where',
          cell: (signIn) => (
            <>
              <span className="strong">{madeWith(signIn)}</span>
              <span className="fine">{signIn.address}</span>
            </>
          ),
        },
        { head: 'Signed in', cell: (signIn) => <Time at={signIn.createdAt} /> },
        { head: 'Last seen', cell: (signIn) => <Time at={signIn.lastSeenAt} /> },
        { head: 'Ends by itself', cell: (signIn) => <Time at={signIn.expiresAt} /> },
        {
          head: 'Actions',
          actions: true,
          cell: (signIn) =>
            signIn.current ? (
              <Badge tone="good">This one</Badge>
            ) : (
              <button
                type="button"
                className="button danger"
                aria-label={`End sign-in from ${signIn.address}, ${madeWith(signIn)}, ${exactTime(signIn.createdAt)}`}
                onClick={() => onEnd(signIn)}
              >
                End
              </button>
            ),
        },
      ]}
    />
  )
}
