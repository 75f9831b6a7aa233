import { useEffect, useState } from 'react'

interface Props {
  /** What it is, for screen readers: `address`. */
  what: string
  value: string
  /** A link to more about it. */
  href?: string | undefined
  hrefLabel?: string
}

const shownMs = 2500

/** A value to copy, whole, with a small button beside it. */
export function CopyValue({ what, value, href, hrefLabel = 'Block explorer' }: Props) {
  const [result, setResult] = useState('')
  useEffect(() => {
    if (result !== 'Copied') return
    const timer = setTimeout(() => setResult(''), shownMs)
    return () => clearTimeout(timer)
  }, [result])
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      setResult('Copied')
    } catch {
      // Without a secure origin browsers refuse.
      setResult('Your browser does not let us copy. Select the text and copy it yourself.')
    }
  }
  return (
    <span className="copy-value">
      <code>{value}</code>
      <span className="copy-value-actions">
        <button type="button" className="chip" onClick={() => void copy()}>
          {result === 'Copied' ? 'Copied' : 'Copy'}
          <span className="unseen"> {what}</span>
        </button>
        {href && (
          <a href={href} target="_blank" rel="noreferrer">
            {hrefLabel}
          </a>
        )}
        <span className={result === 'Copied' ? 'unseen' : 'fine'} role="status">
          {result}
        </span>
      </span>
    </span>
  )
}
