const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An ISO time in the reader's format. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shown.format(new Date(at))}</time>
}
