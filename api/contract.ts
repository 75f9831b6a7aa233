import { readFileSync } from 'node:fs'
import { reachedComponents } from './components.ts'

/** Who may call an operation: programs, by the API, or the dashboard, by its own API. */
export type Audience = 'programs' | 'dashboard'

/**
 * A member's role: a cashier uses the till alone, a viewer reads, a developer changes, an owner also manages
 * people and payments.
 */
export type MinRole = 'cashier' | 'viewer' | 'developer' | 'owner'

export interface Operation {
  operationId: string
  summary: string
  /** Programs alone, if it is absent. Only in the document, not in the contract of an audience. */
  'x-audience'?: Audience[]
  /** The permission that a credential needs, as `resource:action`. */
  'x-permission': string
  /** The least scope of an API key; `public` takes no credential. */
  'x-scope': 'public' | 'read' | 'write'
  /**
   * The least role of an account, if it differs from the one that `x-scope` implies (viewer for `read`,
   * developer for `write`). `account`: any signed-in account, in any business or in no business. `operator`:
   * an operator of the platform.
   */
  'x-role'?: MinRole | 'account' | 'operator'
  /**
   * A permission that API keys need in addition for some requests, which only owners give, by name. The
   * handler checks it. People need the role of the operation alone.
   */
  'x-key-permission'?: { permission: string; summary: string }
  /**
   * People with a second factor must have given it in the last minutes; `some`: for some requests, which the
   * handler checks.
   */
  'x-fresh-factor'?: 'always' | 'some'
  /**
   * Requests about the caller itself: allowed for any key, and before the business is approved for
   * production.
   */
  'x-about-caller'?: true
  /**
   * The audit log's action, for operations that need `write`; `none`: it changes nothing. Routes of the
   * dashboard write their own entries.
   */
  'x-audit'?: string
  /** Uses production: on a deployment of mainnets, the dashboard also requires an approved business. */
  'x-needs-approval'?: true
  /** The answer holds a secret: it is never stored, and an `Idempotency-Key` is ignored. */
  'x-secret-answer'?: true
  /** The largest body, if more than usual: as `4mb`. */
  'x-max-body'?: string
  /**
   * The handler needs the bytes of the body, which a signature covers. The body may have fields that the
   * contract does not know.
   */
  'x-raw-body'?: true
  /** The handler reads the body, a multipart form, as it arrives. */
  'x-upload'?: true
  /** The field of the body whose length counts as rows, if the cost grows with it. */
  'x-rows'?: string
  /** Every mistake of a large body is found, too: people mend a whole list at once. */
  'x-all-mistakes'?: true
  /** The cost grows with the request: a business may have only a few of these at once. */
  'x-bulk'?: true
  /** Verification's keys: publishable keys (`pk_`) are refused. */
  'x-secret-key'?: true
  /**
   * Moves or requests money: the answer to its `Idempotency-Key` is kept forever, and the dashboard's
   * operation takes one, too.
   */
  'x-money'?: true
  /**
   * Reads nodes of a chain, which counts against the business's daily limit; `refused`: counts only if the
   * request is refused.
   */
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

/** The document of both contracts: the API's, with the operations of the dashboard marked. */
export interface ContractDocument extends Contract {
  /** What the dashboard's contract has in place of the API's. */
  'x-dashboard': { info: object; servers: { url: string }[]; security: object[] }
}

/**
 * The API's contract and the dashboard's. `npm run generate` writes the file from the YAML
 * (`scripts/contracts/bundle.ts`).
 */
export function loadContracts(): Record<Audience, Contract> {
  const document = read('./openapi.json') as ContractDocument
  return { programs: programsContract(document), dashboard: dashboardContract(document) }
}

/** The API's contract, which is promised to programs. */
export const loadContract = (): Contract => loadContracts().programs

/** The dashboard's contract. */
export const loadDashboardContract = (): Contract => loadContracts().dashboard

/** The contract of the verification area's own host. */
export const loadVerificationContract = (): Contract => read('./verification/openapi.json')

const read = (file: string): Contract =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Contract

/** What programs may call, as it is published: it has nothing of the dashboard. */
export function programsContract(document: Contract): Contract {
  const { 'x-dashboard': _, ...api } = document
  const paths = itemsWith(document, (operation) => (isFor('programs', operation) ? operation : null))
  const tags = (api.tags as object[] | undefined)?.filter((tag) => isFor('programs', tag))
  return withComponents({ ...api, paths: Object.fromEntries(paths), ...(tags ? { tags } : {}) }, 'programs')
}

/** The dashboard's own operations, and those that it shares with programs, each for a selected business. */
export function dashboardContract(document: ContractDocument): Contract {
  const { openapi, components, 'x-dashboard': own } = document
  const credentials = JSON.stringify(own.security)
  const ownItems = itemsWith(document, ({ security, ...operation }) => {
    if (isFor('programs', operation)) return null
    // In the document each says what this contract says once.
    return !security || JSON.stringify(security) === credentials ? operation : { security, ...operation }
  })
  const sharedItems = itemsWith(document, (operation) =>
    isFor('programs', operation) && isFor('dashboard', operation) ? inDashboard(operation) : null,
  ).map(([path, item]): [string, Item] => [`/businesses/{businessId}${path}`, item])
  const paths: Contract['paths'] = {}
  for (const [path, { servers: _, ...item }] of [...ownItems, ...sharedItems])
    paths[path] = { ...paths[path], ...item } as Item
  return withComponents({ openapi, ...own, paths, components }, 'dashboard')
}

const isFor = (audience: Audience, marked: { 'x-audience'?: Audience[] }): boolean =>
  (marked['x-audience'] ?? ['programs']).includes(audience)

type Item = Contract['paths'][string]

/** The paths with the operations that `take` returns, without their mark. */
function itemsWith({ paths }: Contract, take: (operation: Operation) => Operation | null): [string, Item][] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const parts = Object.entries<unknown>(item).flatMap(([key, part]): [string, unknown][] => {
      if (!isOperation(part)) return [[key, part]]
      const taken = take(part)
      return taken ? [[key, withoutMark(taken)]] : []
    })
    return parts.some(([, part]) => isOperation(part)) ? [[path, Object.fromEntries(parts) as Item]] : []
  })
}

const withoutMark = <T extends { 'x-audience'?: Audience[] }>({ 'x-audience': _, ...rest }: T) => rest

export const isOperation = (part: unknown): part is Operation =>
  typeof part === 'object' && part !== null && 'operationId' in part

/** With the components and credentials that it needs. */
function withComponents(contract: Contract, audience: Audience): Contract {
  const { components, ...rest } = contract
  const reached = reachedComponents(components, rest)
  const schemes = Object.entries(reached.securitySchemes ?? {}).flatMap(([name, scheme]) =>
    isFor(audience, scheme) ? [[name, withoutMark(scheme)]] : [],
  )
  return { ...contract, components: { ...reached, securitySchemes: Object.fromEntries(schemes) } }
}

/** The dashboard's operation for the same thing as an operation of the public API. */
export const dashboardTwin = (operationId: string): string => `${operationId}OfBusiness`

function inDashboard(operation: Operation): Operation {
  const parameters = [{ $ref: '#/components/parameters/BusinessId' }, ...(operation.parameters ?? [])]
  // A person may press twice: what moves money keeps its key.
  const isKept = (each: { $ref?: string }) =>
    operation['x-money'] === true || each.$ref !== '#/components/parameters/IdempotencyKey'
  return {
    ...operation,
    operationId: dashboardTwin(operation.operationId),
    parameters: parameters.filter(isKept),
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** Every operation with its method and path. */
export function operationsOf(
  contract: Contract,
): { method: Method; path: string; operation: Operation; servers: string[] }[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation
        ? [
            {
              method,
              path,
              operation,
              servers: (item.servers ?? contract.servers).map((server) => server.url),
            },
          ]
        : []
    }),
  )
}

export const allOperations = (contract: Contract): Operation[] =>
  operationsOf(contract).map(({ operation }) => operation)

/** The least role that an operation needs; null for operations of accounts or operators. */
export function minRoleOf(operation: Operation): MinRole | null {
  const role = operation['x-role']
  if (role === 'account' || role === 'operator') return null
  return role ?? (operation['x-scope'] === 'read' ? 'viewer' : 'developer')
}

interface PermissionAllows {
  scope: 'read' | 'write'
  /** The role that an account needs for the same thing. */
  minRole: MinRole
  operations: { name: string; summary: string }[]
}

/** Every permission that an API key can be given, in order, with its scope and role. */
export function permissionsOf(contract: Contract): ({ permission: string } & PermissionAllows)[] {
  const byName = new Map<string, PermissionAllows>()
  for (const { method, path, operation } of operationsOf(contract)) {
    const scope = operation['x-scope']
    if (scope === 'public' || operation['x-about-caller']) continue
    const minRole = minRoleOf(operation)
    if (minRole === null) continue
    const entry = byName.get(operation['x-permission']) ?? { scope, minRole, operations: [] }
    if (entry.scope !== scope) throw new Error(`${operation['x-permission']} is for operations of two scopes`)
    if (entry.minRole !== minRole)
      throw new Error(`${operation['x-permission']} is for operations of two roles`)
    entry.operations.push({ name: `${method.toUpperCase()} ${path}`, summary: operation.summary })
    byName.set(operation['x-permission'], entry)
    const more = operation['x-key-permission']
    if (more)
      byName.set(more.permission, {
        scope,
        minRole: 'owner',
        operations: [{ name: `${method.toUpperCase()} ${path}`, summary: more.summary }],
      })
  }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([permission, entry]) => ({ permission, ...entry }))
}
