import { readTimes } from '../periods.ts'
import { type accountLabels, isAccountName, isEntryKind } from './bookLabels.ts'
import type { EntryKind } from './types.ts'

/** A search of entries, as the API takes it. */
export interface EntryQuery {
  account?: keyof typeof accountLabels | undefined
  asset?: string | undefined
  kind?: EntryKind | undefined
  reference?: string | undefined
  sessionId?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The search in the page's URL. @param timeZone by which `since` and `until` are there */
export function readEntryQuery(search: URLSearchParams, timeZone: string): EntryQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const account = search.get('account') ?? ''
  const kind = search.get('kind') ?? ''
  return {
    account: isAccountName(account) ? account : undefined,
    asset: textIn('asset'),
    kind: isEntryKind(kind) ? kind : undefined,
    reference: textIn('reference'),
    sessionId: textIn('sessionId'),
    ...readTimes(search, timeZone),
  }
}

/** The address of the file with all entries of a search. */
export function filePath(businessId: string, query: EntryQuery): string {
  const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined)
  const text = new URLSearchParams(given).toString()
  return `/businesses/${encodeURIComponent(businessId)}/ledger/entries${text && `?${text}`}`
}
