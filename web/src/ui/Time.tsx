const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An ISO time as the reader writes it. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shown.format(new Date(at))}</time>
}
