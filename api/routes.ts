import { capabilities } from '../src/capabilities.ts'
import type { RouteContext } from '../src/routeContext.ts'
import type { ApiContext } from './context.ts'
import { signInRoutes } from './dashboard-api/signInRoutes.ts'
import { readingReplica } from './replicaReads.ts'
import { type CapabilityRoutes, forDashboard, type RouteTable, routeTable } from './routeTable.ts'

type Kind = 'public' | 'shared' | 'dashboard'

/** Handlers of all capabilities: of the API alone, of both contracts, of the dashboard alone. */
export type LoadedRoutes = Record<Kind, readonly CapabilityRoutes<RouteContext>[]>

export const loadRoutes = async (): Promise<LoadedRoutes> => ({
  public: await loadKind('public'),
  shared: await loadKind('shared'),
  dashboard: await loadKind('dashboard'),
})

async function loadKind(kind: Kind): Promise<CapabilityRoutes<RouteContext>[]> {
  const loaded: CapabilityRoutes<RouteContext>[] = []
  for (const { name, routes } of capabilities) {
    const load = routes?.[kind]
    if (load) loaded.push({ name, routes: await load() })
  }
  return loaded
}

/** The handlers of the API's contract. */
export const publicTable = (ctx: ApiContext, loaded: LoadedRoutes): RouteTable =>
  routeTable<RouteContext>(ctx, [...loaded.public, ...loaded.shared].map(readingOf(ctx)))

/** The handlers of the dashboard's contract. */
export const dashboardTable = (ctx: ApiContext, loaded: LoadedRoutes): RouteTable => {
  const signIn = { name: "the dashboard's session", routes: signInRoutes } as const
  return routeTable<ApiContext>(ctx, [
    signIn,
    ...loaded.dashboard.map(readingOf(ctx)),
    ...loaded.shared.map(readingOf(ctx)).map(forDashboard),
  ])
}

const readingOf =
  ({ replica }: ApiContext) =>
  (capability: CapabilityRoutes<RouteContext>) =>
    readingReplica(replica, capability)
