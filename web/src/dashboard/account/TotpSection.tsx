import { useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Section } from '../../ui/Section.tsx'
import { useMe } from '../session/session.ts'
import { DisableTotpDialog } from './DisableTotpDialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { RenewCodesDialog } from './RenewCodesDialog.tsx'
import { SetUpTotpDialog } from './SetUpTotpDialog.tsx'

type Open = { what: 'setUp' | 'disable' | 'renew' } | { what: 'codes'; codes: string[] }

/** The second factor: an authenticator, and codes if it or a passkey is lost. */
export function TotpSection() {
  const { account } = useMe()
  const isOn = account.totp || account.passkeys > 0
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const showCodes = (codes: string[]) => setOpen({ what: 'codes', codes })
  return (
    <Section
      title="Two-step sign-in"
      lead="After your password you are asked for a code of your authenticator, or for a passkey."
    >
      <p className="state-line">
        <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? 'On' : 'Off'}</Badge>
        {isOn && (
          <span className={account.recoveryCodesLeft < 3 ? 'strong' : undefined}>
            {codesLeft(account.recoveryCodesLeft)}
          </span>
        )}
      </p>
      <div className="button-row">
        {isOn && (
          <button type="button" className="button" onClick={() => setOpen({ what: 'renew' })}>
            Make new recovery codes
          </button>
        )}
        {account.totp ? (
          <button type="button" className="button danger" onClick={() => setOpen({ what: 'disable' })}>
            Switch off
          </button>
        ) : (
          <button
            type="button"
            className={isOn ? 'button' : 'button primary'}
            onClick={() => setOpen({ what: 'setUp' })}
          >
            {isOn ? 'Set up an authenticator' : 'Set up'}
          </button>
        )}
      </div>
      {open?.what === 'setUp' && <SetUpTotpDialog onClose={close} onEnabled={showCodes} />}
      {open?.what === 'renew' && <RenewCodesDialog onClose={close} onRenewed={showCodes} />}
      {open?.what === 'disable' && <DisableTotpDialog onClose={close} />}
      {open?.what === 'codes' && <RecoveryCodes codes={open.codes} onClose={close} />}
    </Section>
  )
}

function codesLeft(count: number): string {
  if (count === 0) return 'No recovery code is left. Make new ones.'
  return count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`
}
