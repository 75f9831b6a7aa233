import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Contract, dashboardTwin, type Operation, operationsOf } from '../../api/contract.ts'

// Bundles a contract's YAML files into one document, for `npm run generate`. The API reads the generated
// JSON.

const root = join(import.meta.dirname, '../..')

const folders = {
  api: 'api/openapi',
  dashboard: 'api/dashboard-api/openapi',
  verification: 'api/verification/openapi',
}

/** The public contract as one document. */
export const bundleContract = (): Contract => merge(partsOf(folders.api))

/** The document as it is published. */
export const published = (contract: Contract): Contract => withWebhookIds(withoutUnused(contract))

/**
 * Gives each webhook an id by its event type: `session.paid` is `onSessionPaid`. Cowry's have no id: they are
 * no operations of a client.
 */
function withWebhookIds(contract: Contract): Contract {
  if (!contract.webhooks) return contract
  const webhooks = Object.entries(contract.webhooks as Record<string, { post: object }>)
  const idOf = (type: string) =>
    `on${type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`
  return {
    ...contract,
    webhooks: Object.fromEntries(
      webhooks.map(([type, item]) => [type, { ...item, post: { operationId: idOf(type), ...item.post } }]),
    ),
  }
}

/** The document without the components that nothing in it refers to. */
function withoutUnused(contract: Contract): Contract {
  const used = new Set(JSON.stringify(contract).match(/#\/components\/\w+\/\w+/g))
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`)
  const kinds = Object.entries(contract.components).map(([kind, entries]) => [
    kind,
    Object.fromEntries(Object.entries(entries).filter(([name]) => isUsed(kind, name))),
  ])
  const less = { ...contract, components: Object.fromEntries(kinds) as Contract['components'] }
  // A component may have been the only one that refers to another.
  return JSON.stringify(less).length === JSON.stringify(contract).length ? contract : withoutUnused(less)
}

/** The dashboard's contract. It shares the public contract's errors, lists and names. */
export function bundleDashboardContract(): Contract {
  const dashboard = merge(partsOf(folders.dashboard))
  const parts = partsOf(folders.api)
  addComponents(dashboard, parts)
  const sharing = parts.filter((part) => part.shared === 'operations' || part.shared === 'marked')
  const sharedIds = new Set(sharing.flatMap((part) => part.operationIds))
  const shared = merge(sharing)
  for (const { method, path, operation } of operationsOf({ ...shared, servers: [] })) {
    if (!sharedIds.has(operation.operationId)) continue
    const at = `/businesses/{businessId}${path}`
    dashboard.paths[at] = {
      ...dashboard.paths[at],
      [method]: inDashboard(operation),
    } as Contract['paths'][string]
  }
  for (const [kind, entries] of Object.entries(shared.components))
    dashboard.components[kind] = { ...entries, ...dashboard.components[kind] }
  return dashboard
}

/** The verification area's contract. It shares the public contract's errors and lists. */
export function bundleVerificationContract(): Contract {
  const verification = merge(partsOf(folders.verification))
  addComponents(verification, partsOf(folders.api))
  return verification
}

/** Adds the components that the public contract shares, except its credentials. */
function addComponents(contract: Contract, parts: readonly Part[]): void {
  const { components } = merge(parts.filter((part) => part.shared === 'components'))
  for (const [kind, entries] of Object.entries(components)) {
    if (kind !== 'securitySchemes') contract.components[kind] = { ...entries, ...contract.components[kind] }
  }
}

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

interface Part {
  content: Partial<Contract>
  /**
   * The file's `x-shared-with-dashboard`. `operations`: the dashboard has them too, under the selected
   * business. `marked`: it has those with
   * `x-shared-with-dashboard: true`. `components`: it only refers to these.
   */
  shared: 'operations' | 'marked' | 'components' | undefined
  /** The operations that the dashboard has too. */
  operationIds: string[]
}

/** Every file of a contract: the root first, then in the order of the root's tags, and by name within one. */
function partsOf(folder: string): Part[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml'))
  const parts = names.map((name) => ({ name, ...readPart(join(root, folder, name)) }))
  const first = parts.find(({ name }) => name === 'root.yaml')
  const tags = ((first?.content.tags ?? []) as { name: string }[]).map(({ name }) => name)
  const placeOf = (part: (typeof parts)[number]) => {
    const at = tags.indexOf(tagOf(part.content) ?? '')
    return part === first ? -1 : at < 0 ? tags.length : at
  }
  return parts.sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
}

const mark = 'x-shared-with-dashboard'

function readPart(file: string): Pick<Part, 'content' | 'shared' | 'operationIds'> {
  const { [mark]: shared, ...content } = parse(readFileSync(file, 'utf8'), { merge: true }) as Contract
  if (shared !== undefined && shared !== 'operations' && shared !== 'marked' && shared !== 'components')
    throw new Error(`${file}: ${mark} must be operations, marked or components`)
  const operations = operationsOf({ ...content, paths: content.paths ?? {}, servers: [] } as Contract).map(
    ({ operation }) => operation,
  )
  const marked = operations.filter((operation) => mark in operation)
  if (marked.length > 0 !== (shared === 'marked'))
    throw new Error(`${file}: operations are marked with ${mark} only where the file has marked`)
  // The published contract has nothing about the dashboard.
  for (const operation of marked) delete (operation as { [mark]?: unknown })[mark]
  return {
    content,
    shared,
    operationIds: (shared === 'marked' ? marked : operations).map(({ operationId }) => operationId),
  }
}

/** The tag of a file's first operation or webhook. */
function tagOf({ paths, webhooks }: Partial<Contract>): string | undefined {
  const items = Object.values({ ...paths, ...(webhooks as Contract['paths'] | undefined) })
  return items.flatMap((item) => Object.values(item) as { tags?: string[] }[]).find(({ tags }) => tags)
    ?.tags?.[0]
}

/** All references are local, so bundling is merging. */
function merge(parts: readonly Part[]): Contract {
  const whole = { paths: {}, components: {} } as Contract
  for (const { content } of parts) {
    const { paths = {}, components = {}, webhooks, tags, ...rest } = content
    Object.assign(whole, rest)
    Object.assign(whole.paths, paths)
    if (webhooks) whole.webhooks = { ...(whole.webhooks as object | undefined), ...(webhooks as object) }
    if (tags) whole.tags = [...((whole.tags as unknown[] | undefined) ?? []), ...(tags as unknown[])]
    for (const [kind, entries] of Object.entries(components))
      whole.components[kind] = { ...whole.components[kind], ...entries }
  }
  return whole
}
