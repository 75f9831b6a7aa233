import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Contract, dashboardTwin, type Operation, operationsOf } from '../../api/contract.ts'

// Bundles a contract's YAML files into one document, for `npm run generate`. The API reads the generated JSON.

const root = join(import.meta.dirname, '../..')

// One file per capability; all references are local, so bundling is merging.
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
/** Operations that the dashboard shares with the public API, under the selected business. */
const sharedFiles = ['monitoring', 'endpoints', 'webhooks']
const dashboardFiles = ['root', 'account', 'businesses', 'keys', 'sending', 'settings', 'audit', 'operator']

/** The public contract as one document. */
export const bundleContract = (): Contract => bundle(publicFiles.map((name) => `api/openapi/${name}.yaml`))

/** The dashboard's contract. It shares the public contract's errors, lists and names. */
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
