import { fromLocalInput } from '../../ui/localTime.ts'

/** What the log is searched by, as the API takes it. */
export interface AuditQuery {
  q?: string | undefined
  action?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The search that the page's own address holds; `from` and `to` there are local times, as their inputs show them. */
export function readAuditQuery(search: URLSearchParams): AuditQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  return { q: textIn('q'), action: textIn('action'), from: fromLocalInput(search.get('from') ?? ''), to: fromLocalInput(search.get('to') ?? '') }
}
