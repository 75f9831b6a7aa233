import type { Answer, ApiRequest } from '../src/http/request.ts'
import type { Routes } from '../src/http/routes.ts'
import { type Contract, dashboardTwin, operationsOf } from './contract.ts'

/** A capability with its handlers. */
export interface CapabilityRoutes<Context> {
  /** The capability. */
  name: string
  routes(ctx: Context): Routes
}

export type Route = (request: ApiRequest) => Promise<Answer>

/**
 * The handler of each operation of a contract, by operationId. A map and not Express's router: the validator
 * has matched the operation, and to match it again over the API's 55 would take 2.3 µs a request (Node 24).
 */
export type RouteTable = ReadonlyMap<string, Route>

/**
 * Puts the handlers of all capabilities in one table.
 * @throws Error if two capabilities handle the same operation
 */
export function routeTable<Context>(
  ctx: Context,
  capabilities: readonly CapabilityRoutes<Context>[],
): RouteTable {
  const table = new Map<string, Route>()
  const owners = new Map<string, string>()
  for (const { name, routes } of capabilities) {
    for (const [operationId, handler] of Object.entries(routes(ctx))) {
      const owner = owners.get(operationId)
      if (owner !== undefined)
        throw new Error(`the operation ${operationId} has two handlers: of ${owner} and of ${name}`)
      owners.set(operationId, name)
      // The validator has checked body, query and path by the operation's own schema.
      table.set(operationId, handler as Route)
    }
  }
  return table
}

/** The same handlers for the operations that the dashboard's contract has for a selected business. */
export const forDashboard = <Context>({
  name,
  routes,
}: CapabilityRoutes<Context>): CapabilityRoutes<Context> => ({
  name,
  routes: (ctx) =>
    Object.fromEntries(
      Object.entries(routes(ctx)).map(([operationId, handler]) => [dashboardTwin(operationId), handler]),
    ),
})

/**
 * Operations with a server of their own, such as health, are served without a table.
 * @throws Error naming an operation without its handler, or a handler without its operation
 */
export function requireHandlers(contract: Contract, table: RouteTable): void {
  const ids = new Set(
    operationsOf(contract).flatMap(({ operation, servers }) =>
      servers[0] === '/' ? [] : [operation.operationId],
    ),
  )
  for (const id of ids) if (!table.has(id)) throw new Error(`the contract's operation ${id} has no handler`)
  for (const id of table.keys())
    if (!ids.has(id)) throw new Error(`the contract has no operation ${id}, which has a handler`)
}
