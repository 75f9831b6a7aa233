import { useState } from 'react'

interface Props {
  text: string
  label: string
}

/** Copies, and reports success or failure. Without a secure origin browsers refuse. */
export function CopyButton({ text, label }: Props) {
  const [result, setResult] = useState('')
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setResult('Copied.')
    } catch {
      setResult('Your browser does not let us copy. Select the text and copy it yourself.')
    }
  }
  return (
    <span className="copy">
      <button type="button" className="button" onClick={() => void copy()}>
        {label}
      </button>
      <span className="fine" role="status">
        {result}
      </span>
    </span>
  )
}
