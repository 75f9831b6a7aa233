interface Props {
  /** Below docs/runbooks. */
  page: string
  /** Null: this deployment has not told where docs/ is read. */
  docsUrl: string | null
}

/** A link to the page with the steps to take. */
export function Runbook({ page, docsUrl }: Props) {
  if (docsUrl === null) return <code className="fine">{`docs/runbooks/${page}`}</code>
  return (
    <a href={`${docsUrl.replace(/\/$/, '')}/runbooks/${page}`} target="_blank" rel="noreferrer">
      What to do
    </a>
  )
}
