interface Props {
  /** Below docs/runbooks: a file, perhaps with a heading. */
  page: string
}

/** A link to the page with the steps to take, which the api serves. */
export function Runbook({ page }: Props) {
  return (
    <a href={`/docs/runbooks/${page.replace('.md', '')}`} target="_blank" rel="noreferrer">
      What to do
    </a>
  )
}
