import { useState } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { hasPasskeys } from '../session/passkey.ts'
import { useApi } from '../session/session.ts'
import type { Passkey } from '../types.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { RemovePasskeyDialog } from './RemovePasskeyDialog.tsx'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx'

type Open =
  | { what: 'add' }
  | { what: 'rename' | 'remove'; passkey: Passkey }
  | { what: 'codes'; codes: string[] }

/** Passkeys: second factors on a device. */
export function PasskeysSection() {
  const api = useApi()
  const notify = useNotify()
  const passkeys = useLoaded('', (signal) => api.call('listPasskeys', { signal }))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)

  function changed(message: string): void {
    close()
    passkeys.reload()
    notify(message)
  }

  function added(codes: string[] | null): void {
    passkeys.reload()
    if (codes) setOpen({ what: 'codes', codes })
    else changed('The passkey is added.')
  }

  return (
    <Section
      title="Passkeys"
      lead="A device or a security key confirms your sign-in instead of a code. It works only on this platform's own pages."
    >
      <Loaded of={passkeys}>
        {(answer) =>
          answer.passkeys.length === 0 ? (
            <p>There is no passkey yet.</p>
          ) : (
            <DataTable
              caption="Passkeys"
              rows={answer.passkeys}
              keyOf={(passkey) => passkey.id}
              columns={[
                { head: 'Name', cell: (passkey) => <span className="strong">{passkey.name}</span> },
                { head: 'Added', cell: (passkey) => <Time at={passkey.createdAt} /> },
                {
                  head: 'Last used',
                  cell: (passkey) => (passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : 'Never'),
                },
                {
                  head: 'Actions',
                  actions: true,
                  cell: (passkey) => (
                    <>
                      <button
                        type="button"
                        className="button"
                        aria-label={`Rename passkey ${passkey.name}`}
                        onClick={() => setOpen({ what: 'rename', passkey })}
                      >
                        Rename
                      </button>
                      <button
                        type="button"
                        className="button danger"
                        aria-label={`Remove passkey ${passkey.name}`}
                        onClick={() => setOpen({ what: 'remove', passkey })}
                      >
                        Remove
                      </button>
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {hasPasskeys() ? (
        <div className="button-row">
          <button type="button" className="button" onClick={() => setOpen({ what: 'add' })}>
            Add a passkey
          </button>
        </div>
      ) : (
        <p className="fine">This browser does not support passkeys here. They need HTTPS.</p>
      )}
      {open?.what === 'add' && <AddPasskeyDialog onClose={close} onAdded={added} />}
      {open?.what === 'rename' && (
        <RenamePasskeyDialog
          passkey={open.passkey}
          onClose={close}
          onRenamed={() => changed('The passkey is renamed.')}
        />
      )}
      {open?.what === 'remove' && (
        <RemovePasskeyDialog
          passkey={open.passkey}
          onClose={close}
          onRemoved={() => changed('The passkey is removed.')}
        />
      )}
      {open?.what === 'codes' && <RecoveryCodes codes={open.codes} onClose={close} />}
    </Section>
  )
}
