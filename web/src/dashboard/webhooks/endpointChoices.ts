import type { CallbackHost, Endpoint } from './types.ts'

/** To choose one of the endpoints and callback hosts, or all. */
export const endpointChoices = (
  endpoints: readonly Endpoint[],
  hosts: readonly CallbackHost[],
): { value: string; label: string }[] => [
  { value: '', label: 'All endpoints' },
  ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
  ...hosts.map(({ id, host }) => ({ value: id, label: `Callbacks to ${host}` })),
]
