import type { Contract, Operation } from '../contract.ts'

/** What is read of a schema of a request. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/**
 * Removes fields with the value null from a body, where the contract has the field as optional and without
 * null: many clients write an absent field so. A field whose schema takes null keeps it, and so do free
 * objects such as metadata.
 */
export function nullRemover(
  contract: Pick<Contract, 'components'>,
  operation: Operation,
): (body: unknown) => void {
  const resolve = <T extends { $ref?: string }>(part: T): T => {
    const [, , kind = '', name = ''] = part.$ref?.split('/') ?? []
    return part.$ref === undefined ? part : resolve((contract.components[kind]?.[name] ?? {}) as T)
  }
  const { content } = resolve(
    (operation.requestBody ?? {}) as { $ref?: string; content?: Record<string, { schema: Schema }> },
  )
  const root = content?.['application/json']?.schema
  if (!root) return () => {}

  /** A schema with all that it combines. */
  const partsOf = (schema: Schema): Schema[] => {
    const whole = resolve(schema)
    return [
      whole,
      ...[...(whole.allOf ?? []), ...(whole.oneOf ?? []), ...(whole.anyOf ?? [])].flatMap(partsOf),
    ]
  }
  const takesNull = (schema: Schema): boolean => {
    const whole = resolve(schema)
    const choices = [...(whole.oneOf ?? []), ...(whole.anyOf ?? [])]
    if (choices.length > 0) return choices.some(takesNull)
    if (whole.allOf) return whole.allOf.every(takesNull)
    if (whole.enum) return whole.enum.includes(null)
    if ('const' in whole) return whole.const === null
    return whole.type === undefined || [whole.type].flat().includes('null')
  }
  const clean = (schemas: readonly Schema[], value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const parts = schemas.flatMap(partsOf)
    if (Array.isArray(value)) {
      const items = parts.flatMap(({ items: each }) => each ?? [])
      for (const element of value) clean(items, element)
      return
    }
    const fields = value as Record<string, unknown>
    for (const [name, part] of Object.entries(fields)) {
      const known = parts.flatMap(({ properties }) =>
        properties && Object.hasOwn(properties, name) ? [properties[name] as Schema] : [],
      )
      const isRequired = schemas.some((schema) => resolve(schema).required?.includes(name))
      if (part !== null) clean(known, part)
      else if (known.length > 0 && !isRequired && !known.some(takesNull)) delete fields[name]
    }
  }
  return (body) => clean([root], body)
}
