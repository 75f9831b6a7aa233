import { type Catalogue, nameIn, resolve, type Schema } from './catalogue.ts'

/** The promise of one field. */
export interface FieldPromise {
  /** JSON types, joined with `|`. */
  type: string
  format?: string
  /** All values that it has so far. */
  values?: unknown[]
  /** It may be missing. */
  optional?: true
  /** An object with any fields. */
  open?: true
}

/**
 * Every field of every event type by its path: `data.payments[].amount`; `data<SessionMovement>.id` if `data`
 * has several forms. Receivers rely on all of these.
 */
export type EventRecord = Record<string, Record<string, FieldPromise>>

export function recordOf({ events, schemas }: Catalogue): EventRecord {
  return Object.fromEntries(
    events.map(({ type, schemaName }) => {
      const fields: Record<string, FieldPromise> = {}
      walk(schemas, { $ref: `#/components/schemas/${schemaName}` }, '', true, fields)
      return [type, fields]
    }),
  )
}

/** Every field of a schema by its path, as in a record. The schema itself is `.`. */
export function fieldsOf(schemas: Record<string, Schema>, schema: Schema): Record<string, FieldPromise> {
  const fields: Record<string, FieldPromise> = { '.': promiseOf(resolve(schemas, schema), true) }
  walk(schemas, schema, '', true, fields)
  return fields
}

function walk(
  schemas: Record<string, Schema>,
  given: Schema,
  path: string,
  required: boolean,
  fields: Record<string, FieldPromise>,
): void {
  const schema = resolve(schemas, given)
  if (path !== '') fields[path] = promiseOf(schema, required)
  for (const form of schema.oneOf ?? [])
    walkFields(schemas, resolve(schemas, form), `${path}<${nameIn(form.$ref ?? '')}>`, fields)
  walkFields(schemas, schema, path, fields)
  if (schema.items) walk(schemas, schema.items, `${path}[]`, true, fields)
}

function walkFields(
  schemas: Record<string, Schema>,
  { properties = {}, required = [] }: Schema,
  path: string,
  fields: Record<string, FieldPromise>,
): void {
  for (const [name, property] of Object.entries(properties)) {
    walk(schemas, property, path === '' ? name : `${path}.${name}`, required.includes(name), fields)
  }
}

function promiseOf(schema: Schema, required: boolean): FieldPromise {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return {
    type: schema.oneOf ? 'object' : [schema.type ?? 'any'].flat().join('|'),
    ...(schema.format !== undefined && { format: schema.format }),
    ...(values && { values }),
    ...(!required && { optional: true }),
    ...(schema.additionalProperties === true && { open: true }),
  }
}

/** Lists promises that the contract no longer keeps, one per line; empty if something was only added. */
export function brokenPromises(promised: EventRecord, now: EventRecord): string[] {
  return Object.entries(promised).flatMap(([type, fields]) => {
    const present = now[type]
    if (!present) return [`${type} is gone`]
    return Object.entries(fields).flatMap(([path, before]) => {
      const after = present[path]
      return (after ? lost(before, after) : ['is gone']).map((what) => `${type}: ${path} ${what}`)
    })
  })
}

function lost(before: FieldPromise, after: FieldPromise): string[] {
  const shown = ({ type, format, open }: FieldPromise) =>
    `${type}${format ? ` (${format})` : ''}${open ? ' with any fields' : ''}`
  const changed: string[] = []
  if (shown(before) !== shown(after)) changed.push(`was ${shown(before)} and is ${shown(after)}`)
  if (after.optional && !before.optional) changed.push('was always there and is optional')
  if (before.values && !after.values) changed.push('had known values and has any')
  // If it had any value before, no listed value was promised.
  for (const value of before.values ?? []) {
    if (after.values && !after.values.includes(value))
      changed.push(`has lost the value ${JSON.stringify(value)}`)
  }
  return changed
}

/** One line per field, for readable diffs. */
export function recordFile(record: EventRecord): string {
  const types = Object.entries(record).map(([type, fields]) => {
    const lines = Object.entries(fields).map(
      ([path, promise]) => `    ${JSON.stringify(path)}: ${JSON.stringify(promise)}`,
    )
    return `  ${JSON.stringify(type)}: {\n${lines.join(',\n')}\n  }`
  })
  return `{\n${types.join(',\n')}\n}\n`
}
