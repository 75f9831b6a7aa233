import { readTimes } from '../periods.ts'

/** A search of the log, as the API takes it. */
export interface AuditQuery {
  q?: string | undefined
  action?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The search in the page's URL. @param timeZone by which `from` and `to` are there */
export function readAuditQuery(search: URLSearchParams, timeZone: string): AuditQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const { since, until } = readTimes(search, timeZone, { since: 'from', until: 'to' })
  return {
    q: textIn('q'),
    action: textIn('action'),
    since,
    until,
  }
}
