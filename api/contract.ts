import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Operation {
  operationId: string
  /** What a credential must allow, as `resource:action`. */
  'x-permission': string
  /** The least scope of an API key; `public` takes no credential. */
  'x-scope': 'public' | 'read' | 'write'
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

/** A file for each capability; every reference is local, so that bundling them is laying them side by side. */
const files = ['root', 'sessions', 'pricing', 'webhooks', 'chains', 'health']

/** The whole contract as one document. */
export function loadContract(): Contract {
  const bundle = { paths: {}, components: {} } as Contract
  for (const file of files) {
    const part = parse(readFileSync(new URL(`./openapi/${file}.yaml`, import.meta.url), 'utf8'), { merge: true }) as Contract
    const { paths = {}, components = {}, ...rest } = part
    Object.assign(bundle, rest)
    Object.assign(bundle.paths, paths)
    for (const [kind, entries] of Object.entries(components)) bundle.components[kind] = { ...bundle.components[kind], ...entries }
  }
  return bundle
}

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
