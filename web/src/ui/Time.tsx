import { timeText } from './localTime.ts'
import { zoneLabel } from './zone.ts'
import { useZone } from './zoneOfPage.ts'

interface Props {
  at: string
  className?: string
  /** With seconds. */
  exact?: boolean
}

/** An ISO time in the reader's format, by the clocks of the page's zone, which its tooltip names. */
export function Time({ at, className, exact = false }: Props) {
  const timeZone = useZone()
  return (
    <time dateTime={at} className={className} title={zoneLabel(timeZone)}>
      {timeText(at, exact ? 'exact' : 'short', timeZone)}
    </time>
  )
}
