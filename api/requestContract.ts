import type { Contract, Operation } from './contract.ts'

const noAnswers = { default: { description: '' } }

/**
 * What the validator of requests needs of a contract: for each operation it learns it walks through all of its document, so the answers
 * and what only they refer to, four fifths of it, would make the start of a process and the first request of each kind slow.
 */
export function requestsOf({ paths, components, openapi, info, servers, security }: Contract): Contract {
  const asked = Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withoutAnswers(item)]))
  const reached: Contract['components'] = { securitySchemes: components.securitySchemes ?? {} }
  const reach = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') reachComponent(value)
      else reach(value)
    }
  }
  const reachComponent = (reference: string): void => {
    const [, , kind = '', name = ''] = reference.split('/')
    const component = components[kind]?.[name]
    if (!component || reached[kind]?.[name]) return
    reached[kind] = { ...reached[kind], [name]: component }
    reach(component)
  }
  reach(asked)
  // The validator writes into its document; the one that is served stays as it is.
  return structuredClone({ openapi, info, servers, ...(security ? { security } : {}), paths: asked, components: reached }) as Contract
}

type Item = Contract['paths'][string]

const withoutAnswers = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([key, part]) => [key, isOperation(part) ? { ...part, responses: noAnswers } : part])) as Item

const isOperation = (part: unknown): part is Operation => typeof part === 'object' && part !== null && 'operationId' in part
