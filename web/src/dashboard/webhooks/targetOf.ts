import type { Delivery } from './types.ts'

/**
 * The URL that a delivery goes to, as a list shows it: a callback has its own.
 * @param urls those of the endpoints, by their ids
 */
export function targetOf(
  { url, endpointId }: Pick<Delivery, 'url' | 'endpointId'>,
  urls: ReadonlyMap<string, string>,
): string {
  if (url) return url
  return endpointId ? (urls.get(endpointId) ?? 'Removed') : 'None yet'
}

/**
 * Its endpoint or callback host is still there.
 * @param there the ids of all endpoints and callback hosts
 */
export const isSendable = (
  { endpointId }: Pick<Delivery, 'endpointId'>,
  there: ReadonlySet<string>,
): boolean => endpointId !== null && there.has(endpointId)

/** The ids of all endpoints and callback hosts. */
export const idsOf = (...lists: readonly { id: string }[][]): ReadonlySet<string> =>
  new Set(lists.flat().map(({ id }) => id))
