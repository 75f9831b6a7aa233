/** What the words of a mistake need of a schema. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** The schemas that a value is checked against, with their references and alternatives resolved. */
export function schemasAt(document: unknown, root: Schema | undefined, path: readonly string[]): Schema[] {
  let found = flat(document, root)
  for (const step of path)
    found = found.flatMap((schema) =>
      flat(document, schema.properties?.[step] ?? (/^\d+$/.test(step) ? schema.items : undefined)),
    )
  return found
}

function flat(document: unknown, schema: Schema | undefined, depth = 0): Schema[] {
  if (!schema || depth > 20) return []
  if (schema.$ref !== undefined) return flat(document, referred(document, schema.$ref), depth + 1)
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...parts.flatMap((part) => flat(document, part, depth + 1))]
}

/** The target of a reference inside of the document. */
export function referred<T>(document: unknown, reference: string): T | undefined {
  let part = document
  for (const name of reference.replace('#/', '').split('/'))
    part = (part as Record<string, unknown> | undefined)?.[name]
  return part as T | undefined
}
