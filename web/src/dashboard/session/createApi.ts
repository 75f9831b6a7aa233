import { CowryError, createDashboardClient, type DashboardClient } from '../../../../client/index.ts'

export const apiPath = '/dashboard/api'

interface Handlers {
  /** Gets the operation's path (`/me`) of each 401. */
  onUnauthorized: (path: string) => void
  /**
   * Requests a second factor, which a call needs again. Resolves to false where the person gives no factor.
   */
  onStaleFactor: () => Promise<boolean>
}

/** The dashboard's client. A call that needs a fresh second factor is repeated once it is given. */
export function createApi({ onUnauthorized, onStaleFactor }: Handlers): DashboardClient {
  const client = createDashboardClient({
    baseUrl: apiPath,
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      if (answer.status === 401) onUnauthorized(pathOf(input))
      return answer
    },
  })
  const call: DashboardClient['call'] = async (operation, ...options) => {
    try {
      return await client.call(operation, ...options)
    } catch (error) {
      const isStale = error instanceof CowryError && error.code === 'fresh_factor_required'
      if (!isStale || !(await onStaleFactor())) throw error
      return client.call(operation, ...options)
    }
  }
  return { call }
}

function pathOf(input: RequestInfo | URL): string {
  const url = input instanceof Request ? input.url : String(input)
  return new URL(url, location.origin).pathname.slice(apiPath.length)
}
