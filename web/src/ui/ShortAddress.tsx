import { Tip } from './Tip.tsx'

const isShort = 16

interface Props {
  of: string
  /** Its page at a block explorer. */
  href?: string | null
}

/** Both ends of an address or of another id, on one line of a list. A tip tells all of it. */
export function ShortAddress({ of, href }: Props) {
  const short = of.length <= isShort ? of : `${of.slice(0, 8)}…${of.slice(-6)}`
  if (short === of && !href) return <code>{of}</code>
  return (
    <Tip text={of} href={href}>
      <code className="whole">{short}</code>
    </Tip>
  )
}
