import { fromLocalInput } from '../../ui/localTime.ts'

/** A search of the log, as the API takes it. */
export interface AuditQuery {
  q?: string | undefined
  action?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The search in the page's URL; `from` and `to` are local times there, as their inputs show them. */
export function readAuditQuery(search: URLSearchParams): AuditQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  return {
    q: textIn('q'),
    action: textIn('action'),
    since: fromLocalInput(search.get('from') ?? ''),
    until: fromLocalInput(search.get('to') ?? ''),
  }
}
