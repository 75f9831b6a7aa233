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

/** It has a place to go to: its endpoint is still there, or it is a callback. */
export const isSendable = (
  { url, endpointId }: Pick<Delivery, 'url' | 'endpointId'>,
  urls: ReadonlyMap<string, string>,
): boolean => Boolean(url) || urls.has(endpointId ?? '')
