import { useState } from 'react'
import { Link } from 'wouter'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { ChangeKeyDialog } from './ChangeKeyDialog.tsx'
import { KeyFacts } from './KeyFacts.tsx'
import { KeySecretDialog } from './KeySecretDialog.tsx'
import { mayManage } from './keyPermissions.ts'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'

type Open = { what: 'change' | 'rotate' | 'revoke' } | { what: 'secret'; secret: string }

export function KeyPage({ keyId }: { keyId: string }) {
  const api = useApi()
  const { business, develops, role } = useBusiness()
  const path = { businessId: business.id, keyId }
  const key = useLoaded(`${business.id} ${keyId}`, (signal) => api.call('getKey', { path, signal }))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const present = key.now.state === 'ready' ? key.now.value : undefined
  const manages = present !== undefined && mayManage(role, present)
  const keys = `${businessPath(business.id)}/settings/api-keys`
  return (
    <Page
      title={present?.name ?? 'API key'}
      tab={`${present?.name ?? 'API key'} · ${business.name}`}
      lead={<Link href={keys}>All API keys</Link>}
      actions={
        develops &&
        present?.state === 'active' && (
          <>
            {manages && (
              <button type="button" className="button" onClick={() => setOpen({ what: 'change' })}>
                Change
              </button>
            )}
            <ActionMenu
              actions={[
                ...(manages ? [{ label: 'Rotate', onChoose: () => setOpen({ what: 'rotate' }) }] : []),
                { label: 'Revoke', danger: true, onChoose: () => setOpen({ what: 'revoke' }) },
              ]}
            />
          </>
        )
      }
    >
      {develops && present?.state === 'active' && !manages && (
        <p className="fine">
          This key has permissions reserved to owners, so only an owner can change or rotate it.
        </p>
      )}
      <Loaded of={key}>{(value) => <KeyFacts apiKey={value} keysPath={keys} />}</Loaded>
      {present && open?.what === 'change' && (
        <ChangeKeyDialog apiKey={present} onClose={close} onChanged={key.put} />
      )}
      {present && open?.what === 'rotate' && (
        <RotateKeyDialog
          apiKey={present}
          onClose={close}
          onRotated={(secret) => {
            setOpen({ what: 'secret', secret })
            key.reload()
          }}
        />
      )}
      {present && open?.what === 'revoke' && (
        <RevokeKeyDialog apiKey={present} onClose={close} onRevoked={key.put} />
      )}
      {open?.what === 'secret' && <KeySecretDialog secret={open.secret} onClose={close} />}
    </Page>
  )
}
