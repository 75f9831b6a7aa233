import { readable } from './readable.ts'

interface Props {
  /** Exact, as the API has it. */
  of: string
  unit?: string
  /** `+` before what grows. */
  signed?: boolean
}

/** An amount that people can read: grouped, and rounded where it is long. The exact one is its title. */
export function Amount({ of, unit, signed = false }: Props) {
  const shown = readable(of)
  const sign = signed && !of.startsWith('-') ? '+' : ''
  const text = `${sign}${shown.text}${unit ? ` ${unit}` : ''}`
  return (
    <data
      className="amount"
      value={of}
      title={shown.isRounded ? `${of}${unit ? ` ${unit}` : ''}` : undefined}
    >
      {text}
    </data>
  )
}
