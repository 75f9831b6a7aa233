import { useState } from 'react'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { KeySecretDialog } from '../keys/KeySecretDialog.tsx'
import { useApi } from '../session/session.ts'
import { CreateVerificationKeyDialog } from './CreateVerificationKeyDialog.tsx'
import { OriginsDialog } from './OriginsDialog.tsx'
import { RevokeVerificationKeyDialog } from './RevokeVerificationKeyDialog.tsx'
import { RotateVerificationKeyDialog } from './RotateVerificationKeyDialog.tsx'
import type { VerificationKey } from './types.ts'
import { type KeyChange, VerificationKeyTable } from './VerificationKeyTable.tsx'

type Open =
  | { what: 'create' }
  | { what: 'secret'; secret: string }
  | { what: KeyChange; key: VerificationKey }

/** Keys of the verification area; owners make, rotate and revoke them. */
export function VerificationKeysPage() {
  const api = useApi()
  const { business, owns } = useBusiness()
  const [open, setOpen] = useState<Open>()
  const keys = useLoaded(business.id, (signal) =>
    api.call('listVerificationKeys', { path: { businessId: business.id }, signal }),
  )
  const close = () => setOpen(undefined)
  function made(secret: string): void {
    setOpen({ what: 'secret', secret })
    keys.reload()
  }
  return (
    <Page
      title="Verification keys"
      tab={`Verification keys · ${business.name}`}
      lead="Your servers and web sites call the verification host with these. A key is shown once, when it is made."
      actions={
        owns && (
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'create' })}>
            Create key
          </button>
        )
      }
    >
      <Loaded of={keys}>
        {({ keys: all }) =>
          all.length === 0 ? (
            <Empty title="There is no verification key yet.">
              {owns && <p>Create one, then send it as Authorization: Bearer.</p>}
            </Empty>
          ) : (
            <VerificationKeyTable
              keys={all}
              onChange={owns ? (what, key) => setOpen({ what, key }) : undefined}
            />
          )
        }
      </Loaded>
      {open?.what === 'create' && <CreateVerificationKeyDialog onClose={close} onCreated={made} />}
      {open?.what === 'secret' && (
        <KeySecretDialog secret={open.secret} isPublic={open.secret.startsWith('pk_')} onClose={close} />
      )}
      {open?.what === 'rotate' && (
        <RotateVerificationKeyDialog verificationKey={open.key} onClose={close} onRotated={made} />
      )}
      {open?.what === 'origins' && (
        <OriginsDialog verificationKey={open.key} onClose={close} onChanged={keys.reload} />
      )}
      {open?.what === 'revoke' && (
        <RevokeVerificationKeyDialog verificationKey={open.key} onClose={close} onRevoked={keys.reload} />
      )}
    </Page>
  )
}
