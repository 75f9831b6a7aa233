const isShort = 16

/** Both ends of an address or of another id, on one line of a list; what it is of has a page with all of it. */
export function ShortAddress({ of }: { of: string }) {
  if (of.length <= isShort) return <code>{of}</code>
  return <code className="whole" title={of}>{`${of.slice(0, 8)}…${of.slice(-6)}`}</code>
}
