import { reachedComponents } from './components.ts'
import { type Contract, isOperation, type Operation } from './contract.ts'

const noAnswers = { default: { description: '' } }

/**
 * The part of the contract that validates requests of one operation: the operation without its answers, and
 * the components that it references. The validator walks its whole document several times per operation.
 */
export function requestsOf(
  { paths, components, openapi, info, servers, security }: Contract,
  operation: Operation,
): Contract {
  const asked = Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      hasOperation(item, operation) ? [[path, only(item, operation)]] : [],
    ),
  )
  // Copy: the validator modifies its document.
  const document = structuredClone({
    openapi,
    info,
    servers,
    ...(security ? { security } : {}),
    paths: asked,
    components: reachedComponents(components, asked),
  }) as Contract
  fillDefaults(document)
  return document
}

/**
 * Makes `x-default` the default that the validator fills in. Bodies of the published contract have no
 * `default`: generators of types take a field with one for required.
 */
function fillDefaults(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const schema = part as { default?: unknown; 'x-default'?: unknown }
  if (schema['x-default'] !== undefined) schema.default = schema['x-default']
  for (const value of Object.values(part)) fillDefaults(value)
}

type Item = Contract['paths'][string]

const hasOperation = (item: Item, operation: Operation): boolean =>
  Object.values(item).some((part) => part === operation)

/** The path item with this operation alone, and its shared fields. */
function only(item: Item, operation: Operation): Item {
  const parts = Object.entries(item).filter(([, part]) => part === operation || !isOperation(part))
  return Object.fromEntries(
    parts.map(([key, part]) => [
      key,
      part === operation ? { ...withoutUpload(operation), responses: withoutBodies(operation) } : part,
    ]),
  ) as Item
}

/** The handler reads an upload and refuses what is wrong in it. */
function withoutUpload(operation: Operation): Operation {
  if (!operation['x-upload']) return operation
  const { requestBody: _, ...rest } = operation
  return rest
}

/** A WebSocket stays recognizable. */
const withoutBodies = ({ responses }: Operation): Operation['responses'] =>
  responses['101'] ? { ...noAnswers, '101': { description: '' } } : noAnswers
