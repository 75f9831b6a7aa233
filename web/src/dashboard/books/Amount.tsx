import { Tip } from '../../ui/Tip.tsx'
import { readable } from './readable.ts'

interface Props {
  /** Exact, as the API has it. */
  of: string
  unit?: string
  /** `+` before what grows. */
  signed?: boolean
}

/** An amount that people can read: grouped, and rounded where it is long. A tip tells the exact one. */
export function Amount({ of, unit, signed = false }: Props) {
  const shown = readable(of)
  const sign = signed && !of.startsWith('-') ? '+' : ''
  const text = `${sign}${shown.text}${unit ? ` ${unit}` : ''}`
  return (
    <data className="amount" value={of}>
      {shown.isRounded ? <Tip text={`${of}${unit ? ` ${unit}` : ''}`}>{text}</Tip> : text}
    </data>
  )
}
