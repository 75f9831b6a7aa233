import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

/** Shows recovery codes once, to copy or to download. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  function download(): void {
    const url = URL.createObjectURL(
      new Blob([`Cowry recovery codes. Each works once.\n\n${text}`], { type: 'text/plain' }),
    )
    const link = document.createElement('a')
    link.href = url
    link.download = 'cowry-recovery-codes.txt'
    link.click()
    // Revoke only after the browser has started to read it.
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <Dialog title="Your recovery codes" onClose={onClose} staysOpen>
      <div className="notice warn">
        <p>
          Each code signs you in once if your authenticator or passkey is not at hand. They are shown only
          now. Keep them where only you can read them.
        </p>
      </div>
      <ul className="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="button-row">
        <CopyButton text={text} label="Copy codes" />
        <button type="button" className="button" onClick={download}>
          Download codes
        </button>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          I have stored them
        </button>
      </div>
    </Dialog>
  )
}
