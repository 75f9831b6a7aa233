import { useEffect, useState } from 'react'
import type { Spoken } from './language.ts'

interface Props {
  spoken: Spoken
  /** Shows the value under this name; without it, only the button is shown. */
  label?: string
  value: string
  action: string
}

const shownMs = 2500

/** A value to copy, with a button that says whether it was copied. */
export function CopyField({ spoken: { text }, label, value, action }: Props) {
  const [result, setResult] = useState<'copied' | 'copyFailed' | null>(null)
  useEffect(() => {
    if (result !== 'copied') return
    const timer = setTimeout(() => setResult(null), shownMs)
    return () => clearTimeout(timer)
  }, [result])
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      setResult('copied')
    } catch {
      setResult('copyFailed')
    }
  }
  return (
    <div className="copyable">
      {label !== undefined && (
        <p className="value">
          <span className="quiet">{label}</span>
          <code dir="ltr">{value}</code>
        </p>
      )}
      <button type="button" className="button" onClick={() => void copy()}>
        {result === 'copied' ? text('copied') : action}
      </button>
      <span className="unseen" role="status">
        {result === 'copied' ? text('copied') : ''}
      </span>
      {result === 'copyFailed' && <p className="quiet">{text('copyFailed')}</p>}
    </div>
  )
}
