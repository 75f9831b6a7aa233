import { type Catalogue, nameIn, resolve, type Schema } from './catalogue.ts'

export interface SchemaDocument {
  $schema: string
  title: string
  description: string
  oneOf: { $ref: string }[]
  $defs: Record<string, Schema>
}

/**
 * The catalogue as one JSON Schema (2020-12) of any body; `$defs` has one schema per type, by the type's
 * name.
 * @param unknownFields whether the schema accepts them. Receivers must: bodies get new fields
 */
export function schemaDocument(catalogue: Catalogue, unknownFields: 'taken' | 'refused'): SchemaDocument {
  const types = new Map(catalogue.events.map(({ schemaName, type }) => [schemaName, type]))
  const $defs: Record<string, Schema> = {}
  const define = (name: string): string => {
    const key = types.get(name) ?? name
    if (!(key in $defs)) {
      $defs[key] = {}
      $defs[key] = rewrite(
        resolve(catalogue.schemas, { $ref: `#/components/schemas/${name}` }),
        unknownFields,
        define,
      )
    }
    return `#/$defs/${key}`
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of Cowry',
    description:
      'Made by `npm run generate` from the contract. Values may be added: a new one is not an error.',
    oneOf: catalogue.events.map(({ schemaName }) => ({ $ref: define(schemaName) })),
    $defs,
  }
}

function rewrite(
  schema: Schema,
  unknownFields: 'taken' | 'refused',
  define: (name: string) => string,
): Schema {
  const within = (each: Schema) => rewrite(each, unknownFields, define)
  const { additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(rest.$ref !== undefined && { $ref: define(nameIn(rest.$ref)) }),
    ...(rest.oneOf && { oneOf: rest.oneOf.map(within) }),
    ...(rest.items && { items: within(rest.items) }),
    ...(rest.properties && {
      properties: Object.fromEntries(
        Object.entries(rest.properties).map(([name, each]) => [name, within(each)]),
      ),
    }),
    ...(additionalProperties !== undefined &&
      (additionalProperties || unknownFields === 'refused') && { additionalProperties }),
  }
}
