import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { reachedComponents } from '../../api/components.ts'
import {
  type Audience,
  type Contract,
  type ContractDocument,
  isOperation,
  type Operation,
} from '../../api/contract.ts'
import { answerOf, rowsOfList } from '../../api/csv/rowsOfList.ts'
import { withSharedDescriptions } from './descriptions.ts'

// Bundles the YAML files of contracts into documents, for `npm run generate`. The API reads the generated
// JSON.

const root = join(import.meta.dirname, '../..')

const folders = {
  api: 'api/openapi',
  dashboard: 'api/openapi/dashboard',
  verification: 'api/verification/openapi',
}

/**
 * The API's contract and the dashboard's as one document. `x-audience` marks what is not for programs alone:
 * an operation says who has it, or its file for all of them; `dashboard/` has what is the dashboard's alone.
 */
export function bundleContract(home = root): ContractDocument {
  const api = partsOf(join(home, folders.api)).map(({ 'x-audience': audience, ...part }) =>
    markedOperations(part, audience as Audience[] | undefined),
  )
  const { info, servers, security, openapi: _, ...dashboard } = merge(partsOf(join(home, folders.dashboard)))
  const own = { info: info as object, servers, security: security as object[] }
  const whole = withSharedDescriptions(merge([...api, ofDashboard(dashboard, own)]))
  return { ...withCsv(whole), 'x-dashboard': own }
}

/** The document as it is published. */
export function published<Document extends Contract>(contract: Document): Document {
  const { components, ...rest } = contract
  return withWebhookIds({ ...contract, components: reachedComponents(components, rest) })
}

/**
 * Gives each webhook an id by its event type: `session.paid` is `onSessionPaid`. Ours have none: they are no
 * operations of a client.
 */
function withWebhookIds<Document extends Contract>(contract: Document): Document {
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

/** The verification area's contract. It shares the errors and lists of the API's root. */
export function bundleVerificationContract(): Contract {
  const verification = merge(partsOf(join(root, folders.verification)))
  const { components = {}, 'x-page-fields': ofPages } = partsOf(join(root, folders.api))[0] as Part
  for (const [kind, entries] of Object.entries(components)) {
    if (kind !== 'securitySchemes')
      verification.components[kind] = { ...entries, ...verification.components[kind] }
  }
  return withCsv(withSharedDescriptions({ ...verification, 'x-page-fields': ofPages }))
}

/** Every list has CSV too; what has it takes `bom`. */
export function withCsv(contract: Contract): Contract {
  const { paths } = withOperations(contract, (operation) => {
    const answer = answerOf(contract.components, operation.responses)
    const content = {
      ...answer?.content,
      ...(rowsOfList(contract.components, operation) && { 'text/csv': { schema: { type: 'string' } } }),
    }
    if (!('text/csv' in content)) return operation
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), { $ref: '#/components/parameters/Bom' }],
      responses: { ...operation.responses, '200': { ...answer, content } },
    }
  })
  return { ...contract, paths: paths as Contract['paths'] }
}

/** A file's operations with its audience, where they name none themselves. */
const markedOperations = (part: Part, ofFile: readonly Audience[] | undefined): Part =>
  withOperations(part, (operation) => {
    const audience = operation['x-audience'] ?? ofFile
    if (!audience) return operation
    const { operationId } = operation
    if (!audience.includes('programs')) throw new Error(`${operationId} belongs in ${folders.dashboard}`)
    const unknown = audience.find((each) => each !== 'programs' && each !== 'dashboard')
    if (unknown) throw new Error(`${operationId}: x-audience cannot be ${unknown}`)
    return { ...operation, 'x-audience': [...audience] }
  })

/** What the dashboard has alone, marked: at its own server, with its own credential. */
function ofDashboard(
  dashboard: Part,
  { servers, security }: Pick<ContractDocument['x-dashboard'], 'servers' | 'security'>,
): Part {
  const mark = { 'x-audience': ['dashboard' as const] }
  const { paths = {}, ...rest } = withOperations(dashboard, (operation) => {
    if (operation['x-audience']) throw new Error(`${operation.operationId} is the dashboard's by its folder`)
    return { security, ...operation, ...mark }
  })
  const marked = (entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, ...mark }]))
  return {
    ...rest,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, { servers, ...item } as Item]),
    ),
    components: { ...rest.components, securitySchemes: marked(rest.components?.securitySchemes ?? {}) },
    tags: (rest.tags as object[]).map((tag) => ({ ...tag, ...mark })),
  }
}

function withOperations(part: Part, change: (operation: Operation) => Operation): Part {
  const paths = Object.entries(part.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([key, each]) => [key, isOperation(each) ? change(each) : each]),
    ),
  ])
  return { ...part, paths: Object.fromEntries(paths) as Contract['paths'] }
}

/** A file of a contract. */
type Part = Partial<Contract>
type Item = Contract['paths'][string]

/** Every file of a contract: the root first, then in the order of the root's tags, and by name within one. */
function partsOf(folder: string): Part[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const parts = names.map((name) => ({
    name,
    content: parse(readFileSync(join(folder, name), 'utf8'), { merge: true }) as Part,
  }))
  const first = parts.find(({ name }) => name === 'root.yaml')
  const tags = ((first?.content.tags ?? []) as { name: string }[]).map(({ name }) => name)
  const placeOf = (part: (typeof parts)[number]) => {
    if (part === first) return -1
    const at = tags.indexOf(tagOf(part.content) ?? '')
    return at < 0 ? tags.length : at
  }
  parts.sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
  return parts.map(({ content }) => content)
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
  for (const { paths = {}, components = {}, webhooks, tags = [], ...rest } of parts) {
    Object.assign(whole, rest)
    addAll('paths', whole.paths, paths)
    if (webhooks) whole.webhooks = { ...(whole.webhooks as object | undefined), ...(webhooks as object) }
    whole.tags = withTags((whole.tags ?? []) as Tag[], tags as Tag[])
    for (const [kind, entries] of Object.entries(components)) {
      whole.components[kind] ??= {}
      addAll(`components/${kind}`, whole.components[kind], entries)
    }
  }
  return whole
}

/** @throws Error if a name has two meanings */
function addAll<Each>(place: string, whole: Record<string, Each>, entries: Record<string, Each>): void {
  for (const [name, entry] of Object.entries(entries)) {
    if (name in whole) throw new Error(`two files of a contract have ${place}/${name}`)
    whole[name] = entry
  }
}

interface Tag {
  name: string
}

/** A tag of the API and of the dashboard is the API's. */
const withTags = (known: Tag[], more: Tag[]): Tag[] => [
  ...known,
  ...more.filter(({ name }) => !known.some((tag) => tag.name === name)),
]
