import type { Contract, Operation } from '../../api/contract.ts'

/** The parts of a schema in the contract that the specification covers, its references followed. */
export interface Schema {
  types: readonly string[]
  /** Those of `enum` and `const`. */
  values: readonly unknown[]
  default: unknown
  maximum: number | undefined
  items: object | undefined
  required: readonly string[]
  names: readonly string[]
  property(name: string): Schema | undefined
}

interface RawSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  'x-default'?: unknown
  maximum?: number
  items?: object
  required?: string[]
  properties?: Record<string, object>
}

interface RawParameter {
  name: string
  in: string
  required?: boolean
  schema: object
}

/**
 * Reads a contract whose references are all local, as OpenAPI 3.1 has them: keys next to a reference override
 * it. A composed schema (`allOf`,
 * `oneOf`, `anyOf`) has no fields here, so demands on it are reported as missed rather than assumed.
 */
export function schemaReader(contract: Contract) {
  const resolve = <T extends object>(node: object): T => {
    const { $ref, ...own } = node as { $ref?: string }
    if ($ref === undefined) return node as T
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract)
    return { ...resolve<T>(target as object), ...own }
  }

  function read(node: object): Schema {
    const raw = resolve<RawSchema>(node)
    const { properties = {} } = raw
    const types = [raw.type ?? []].flat()
    return {
      // A whole number is a number.
      types: types.includes('integer') ? [...types, 'number'] : types,
      values: raw.const === undefined ? (raw.enum ?? []) : [raw.const],
      default: raw['x-default'] ?? raw.default,
      maximum: raw.maximum,
      items: raw.items,
      required: raw.required ?? [],
      names: Object.keys(properties),
      property: (name) => properties[name] && read(properties[name]),
    }
  }

  /** The JSON schema of a request or an answer. */
  const jsonOf = (node: object | undefined): Schema | undefined => {
    const { content } = node ? resolve<{ content?: Record<string, { schema: object }> }>(node) : {}
    const schema = content?.['application/json']?.schema
    return schema && read(schema)
  }

  const queryOf = ({ parameters = [] }: Operation): Map<string, { required: boolean; schema: Schema }> =>
    new Map(
      parameters
        .map((each) => resolve<RawParameter>(each))
        .flatMap((each) =>
          each.in === 'query'
            ? [[each.name, { required: each.required === true, schema: read(each.schema) }]]
            : [],
        ),
    )

  /** By the specification's names: the header `X-API-Key`, and a bearer token. */
  const credentialsOf = ({
    security = contract.security as object[],
  }: Operation): Set<'public' | 'API key' | 'access token'> => {
    if (security.length === 0) return new Set(['public'])
    return new Set(
      security.flatMap((each) =>
        Object.keys(each).length === 0 ? ['public'] : Object.keys(each).map(credentialOf),
      ),
    )
  }

  const credentialOf = (name: string) => {
    const scheme = contract.components.securitySchemes?.[name] as
      | { type: string; in?: string; name?: string; scheme?: string }
      | undefined
    if (scheme?.type === 'apiKey' && scheme.in === 'header' && scheme.name === 'X-API-Key') return 'API key'
    if (scheme?.type === 'http' && scheme.scheme === 'bearer') return 'access token'
    throw new Error(`the specification knows no credential like ${name}`)
  }

  return Object.assign(read, { jsonOf, queryOf, credentialsOf })
}
