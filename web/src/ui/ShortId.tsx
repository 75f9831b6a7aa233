/** Both ends are enough to tell ids apart. */
const ends = 8

/** An address or a hash by both of its ends, which opens to the whole. */
export function ShortId({ of }: { of: string }) {
  if (of.length <= 2 * ends + 1) return <code>{of}</code>
  return (
    <details className="short-id">
      <summary title={of}>
        <code>{`${of.slice(0, ends)}…${of.slice(-ends)}`}</code>
      </summary>
      <code>{of}</code>
    </details>
  )
}
