import { readFileSync } from 'node:fs'

/** What a member of a business may do: a viewer looks, a developer changes, an owner also decides about people and payments. */
export type MinRole = 'viewer' | 'developer' | 'owner'

export interface Operation {
  operationId: string
  summary: string
  /** What a credential must allow, as `resource:action`. */
  'x-permission': string
  /** The least scope of an API key; `public` takes no credential. */
  'x-scope': 'public' | 'read' | 'write'
  /**
   * The least role of an account, where it is not the one that `x-scope` stands for (viewer for `read`, developer for `write`); `account`:
   * whoever is signed in, of whatever business; `operator`: an operator of the platform.
   */
  'x-role'?: MinRole | 'account' | 'operator'
  /** Tells callers about themselves: whatever their key is limited to, and before their business was approved for production. */
  'x-about-caller'?: true
  /** What the audit log says when it was done, for whatever needs `write`; `none`: it changes nothing. The dashboard's operations say more, by themselves. */
  'x-audit'?: string
  /** Makes use of production: in the dashboard, too, only a business that was approved for it may do that on a deployment of mainnets. */
  'x-needs-approval'?: true
  /** The answer holds a secret: it is never stored, so an `Idempotency-Key` is not looked at. */
  'x-secret-answer'?: true
  /** The largest body that it takes, where that is more than usual: as `4mb`. */
  'x-max-body'?: string
  /** The field of the body whose length counts as rows, where its cost grows with them. */
  'x-rows'?: string
  /** Its cost grows with what it is asked to do: a business has only a few of these under way at once. */
  'x-bulk'?: true
  /** It moves money, or asks for some: the answer to its `Idempotency-Key` is kept for ever. */
  'x-money'?: true
  /** It asks nodes of a chain: counted against what a business may ask in a day; `refused`: only where it is not carried out. */
  'x-node-questions'?: 'always' | 'refused'
  security?: object[]
  parameters?: object[]
  requestBody?: object
  responses: Record<string, object>
}

export interface Contract {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>
  components: Record<string, Record<string, object>>
  [key: string]: unknown
}

/** What is promised to programs. `npm run generate` writes the file from the YAML (`bundleContract.ts`). */
export const loadContract = (): Contract => read('./openapi.json')

/** What is promised to the dashboard. */
export const loadDashboardContract = (): Contract => read('./dashboard-api/openapi.json')

const read = (file: string): Contract => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Contract

/** The operation of the dashboard that does the same as one of the API. */
export const dashboardTwin = (operationId: string): string => `${operationId}OfBusiness`

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** Every operation with its method and path. */
export function operationsOf(contract: Contract): { method: Method; path: string; operation: Operation; servers: string[] }[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ method, path, operation, servers: (item.servers ?? contract.servers).map((server) => server.url) }] : []
    }),
  )
}

/** The least role that an operation needs; an operation of accounts or operators needs none in a business. */
export function minRoleOf(operation: Operation): MinRole | null {
  const role = operation['x-role']
  if (role === 'account' || role === 'operator') return null
  return role ?? (operation['x-scope'] === 'read' ? 'viewer' : 'developer')
}

interface PermissionAllows {
  scope: 'read' | 'write'
  /** Of whoever may do the same without a key. */
  minRole: MinRole
  operations: { name: string; summary: string }[]
}

/** Every permission that an API key can be given, in order, with what it allows. */
export function permissionsOf(contract: Contract): ({ permission: string } & PermissionAllows)[] {
  const byName = new Map<string, PermissionAllows>()
  for (const { method, path, operation } of operationsOf(contract)) {
    const scope = operation['x-scope']
    if (scope === 'public' || operation['x-about-caller']) continue
    const minRole = minRoleOf(operation)
    if (minRole === null) continue
    const entry = byName.get(operation['x-permission']) ?? { scope, minRole, operations: [] }
    if (entry.scope !== scope) throw new Error(`${operation['x-permission']} is for operations of two scopes`)
    if (entry.minRole !== minRole) throw new Error(`${operation['x-permission']} is for operations of two roles`)
    entry.operations.push({ name: `${method.toUpperCase()} ${path}`, summary: operation.summary })
    byName.set(operation['x-permission'], entry)
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([permission, entry]) => ({ permission, ...entry }))
}
