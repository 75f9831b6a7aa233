import { useState } from 'react'
import { Failed } from '../../ui/Failed.tsx'

interface Props {
  use: () => Promise<void>
}

/** The second step of signing in, with a passkey. */
export function PasskeyButton({ use }: Props) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  async function press(): Promise<void> {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await use()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {failure !== undefined && <Failed error={failure} />}
      <div className="form-actions">
        <button type="button" className="button primary" aria-disabled={busy} onClick={() => void press()}>
          Use a passkey
        </button>
      </div>
    </>
  )
}
