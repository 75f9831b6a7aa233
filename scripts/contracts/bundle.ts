import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Contract, dashboardTwin, type Operation, operationsOf } from '../../api/contract.ts'

// Bundles the YAML files of a contract into one document, for `npm run generate`. The api process reads the generated JSON.

const root = join(import.meta.dirname, '../..')

// A file for each capability; every reference is local, so that bundling them is laying them side by side.
const publicFiles = [
  'root',
  'auth',
  'sessions',
  'pricing',
  'monitoring',
  'endpoints',
  'webhooks',
  'events',
  'eventExamples',
  'chains',
  'wallets',
  'transfers',
  'health',
]
/** What people do in the dashboard as programs do by the API: the same operations, below the business that is looked at. */
const sharedFiles = ['monitoring', 'endpoints', 'webhooks']
const dashboardFiles = ['root', 'account', 'businesses', 'keys', 'sending', 'settings', 'audit', 'operator']

/** The API's contract as one document: what is promised to programs. */
export const bundleContract = (): Contract => bundle(publicFiles.map((name) => `api/openapi/${name}.yaml`))

/** The dashboard's own API: what only it is promised. It words its errors, lists and names as the public one does. */
export function bundleDashboardContract(): Contract {
  const dashboard = bundle(dashboardFiles.map((name) => `api/dashboard-api/openapi/${name}.yaml`))
  const { components } = bundle(['api/openapi/root.yaml', 'api/openapi/auth.yaml'])
  for (const [kind, entries] of Object.entries(components)) {
    if (kind !== 'securitySchemes') dashboard.components[kind] = { ...entries, ...dashboard.components[kind] }
  }
  const shared = bundle(sharedFiles.map((name) => `api/openapi/${name}.yaml`))
  for (const { method, path, operation } of operationsOf({ ...shared, servers: [] })) {
    const at = `/businesses/{businessId}${path}`
    dashboard.paths[at] = { ...dashboard.paths[at], [method]: inDashboard(operation) } as Contract['paths'][string]
  }
  for (const [kind, entries] of Object.entries(shared.components)) dashboard.components[kind] = { ...entries, ...dashboard.components[kind] }
  return dashboard
}

function inDashboard(operation: Operation): Operation {
  const parameters = [{ $ref: '#/components/parameters/BusinessId' }, ...(operation.parameters ?? [])]
  return {
    ...operation,
    operationId: dashboardTwin(operation.operationId),
    parameters: parameters.filter((each) => (each as { $ref?: string }).$ref !== '#/components/parameters/IdempotencyKey'),
  }
}

function bundle(files: readonly string[]): Contract {
  const whole = { paths: {}, components: {} } as Contract
  for (const file of files) {
    const part = parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Contract
    const { paths = {}, components = {}, ...rest } = part
    Object.assign(whole, rest)
    Object.assign(whole.paths, paths)
    for (const [kind, entries] of Object.entries(components)) whole.components[kind] = { ...whole.components[kind], ...entries }
  }
  return whole
}
