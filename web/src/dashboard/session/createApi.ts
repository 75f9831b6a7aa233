import { createDashboardClient, type DashboardClient } from '../../../../client/index.ts'

export const apiPath = '/dashboard/api'

/** The dashboard's client; it reports each 401 with the operation's path (`/me`). */
export function createApi(onUnauthorized: (path: string) => void): DashboardClient {
  return createDashboardClient({
    baseUrl: apiPath,
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      if (answer.status === 401) onUnauthorized(pathOf(input))
      return answer
    },
  })
}

function pathOf(input: RequestInfo | URL): string {
  const url = input instanceof Request ? input.url : String(input)
  return new URL(url, location.origin).pathname.slice(apiPath.length)
}
