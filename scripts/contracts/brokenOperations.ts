import { type Contract, operationsOf } from '../../api/contract.ts'
import { nameIn, type Schema } from '../events/catalogue.ts'
import { brokenPromises, type FieldPromise, fieldsOf } from '../events/record.ts'

interface Parameter {
  in: string
  name: string
  required?: boolean
  schema?: Schema
}
interface Described {
  required?: boolean
  content?: Record<string, { schema?: Schema }>
}
type Referring = { $ref?: string }

/**
 * What callers of the version before would miss in this one, one per line; empty if something was only added.
 * All that they sent is still accepted: each operation, parameter, field, type, format and listed value, and
 * no more is required. All that they were answered is still there. Bounds (`maxLength`, `pattern`, `minimum`
 * and so on) are not compared.
 */
export function brokenOperations(before: Contract, now: Contract): string[] {
  const present = new Map(
    operationsOf(now).map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]),
  )
  return operationsOf(before).flatMap(({ method, path, operation, servers }) => {
    const key = `${method.toUpperCase()} ${path}`
    const found = present.get(key)
    if (!found) return [`${key} is gone`]
    const lost = [
      ...servers
        .filter((server) => !found.servers.includes(server))
        .map((server) => `is no longer served at ${server}`),
      ...narrowedParameters(parametersOf(before, operation), parametersOf(now, found.operation)),
      ...narrowedBody(before, now, operation.requestBody, found.operation.requestBody),
      ...lostAnswers(before, now, operation.responses, found.operation.responses),
    ]
    return lost.map((what) => `${key}: ${what}`)
  })
}

const schemasOf = ({ components }: Contract) => (components.schemas ?? {}) as Record<string, Schema>

/** The target of a reference to a parameter, body or answer. */
function target<T extends object>({ components }: Contract, given: T & Referring): T {
  if (given.$ref === undefined) return given
  const [, , kind = '', name = ''] = given.$ref.split('/')
  const found = components[kind]?.[name]
  if (!found) throw new Error(`${given.$ref} is not in the contract`)
  return target({ components } as Contract, found as T & Referring)
}

interface Accepted {
  required: boolean
  fields: Record<string, FieldPromise>
}

function parametersOf(
  contract: Contract,
  { parameters = [] }: { parameters?: object[] },
): Map<string, Accepted> {
  return new Map(
    parameters.map((given) => {
      const parameter = target(contract, given as Parameter)
      const fields = fieldsOf(schemasOf(contract), oneOf(parameter))
      return [
        `${parameter.in} parameter ${parameter.name}`,
        { required: parameter.required === true, fields },
      ]
    }),
  )
}

/** A query parameter with several values takes one alone, as it did before it took several. */
const oneOf = ({ in: place, schema = {} }: Parameter): Schema =>
  (place === 'query' && schema.type === 'array' ? (schema.items as Schema | undefined) : schema) ?? {}

function narrowedParameters(before: Map<string, Accepted>, now: Map<string, Accepted>): string[] {
  const added = [...now]
    .filter(([name, { required }]) => required && !before.has(name))
    .map(([name]) => `requires a new ${name}`)
  const kept = [...before].flatMap(([name, accepted]) => {
    const after = now.get(name)
    if (!after) return [`${name} is gone`]
    const needed = after.required && !accepted.required ? [`${name} is required`] : []
    return [...needed, ...narrowed(accepted.fields, after.fields).map((what) => `${name}${what}`)]
  })
  return [...added, ...kept]
}

function narrowedBody(
  before: Contract,
  now: Contract,
  given: object | undefined,
  then: object | undefined,
): string[] {
  const body = given && target(before, given as Described)
  const after = then && target(now, then as Described)
  if (!body) return after?.required ? ['requires a body'] : []
  const needed = after?.required && !body.required ? ['requires a body'] : []
  const kept = Object.entries(body.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const content = after?.content?.[type]
    if (!content) return [`a body of ${type} is no longer accepted`]
    return narrowed(fieldsOf(schemasOf(before), schema), fieldsOf(schemasOf(now), content.schema ?? {})).map(
      (what) => `request${what}`,
    )
  })
  return [...needed, ...kept]
}

/** What a request could have before, and cannot now. */
function narrowed(before: Record<string, FieldPromise>, now: Record<string, FieldPromise>): string[] {
  const isNew = (path: string) => !(path in before)
  const added = Object.entries(now).flatMap(([path, { optional }]) =>
    isNew(path) && !optional && !isInside(path, now, isNew) ? [path] : [],
  )
  const kept = Object.entries(before).flatMap(([path, field]) => {
    const after = now[path]
    if (!after) return [` ${path} is gone`]
    const types = field.type
      .split('|')
      .filter((type) => after.type !== 'any' && !after.type.split('|').includes(type))
    const values = after.values
      ? (field.values ?? ['any']).filter((value) => !after.values?.includes(value))
      : []
    return [
      ...types.map((type) => ` ${path} is no longer of type ${type}`),
      ...(after.format !== undefined && after.format !== field.format
        ? [` ${path} must be ${after.format}`]
        : []),
      ...values.map(
        (value) => ` ${path} no longer takes ${field.values ? JSON.stringify(value) : 'any value'}`,
      ),
      ...(field.optional && !after.optional ? [` ${path} is required`] : []),
    ]
  })
  return [...added.map((path) => ` ${path} is new and required`), ...kept]
}

/** Part of something that is new itself, and may be left out. */
const isInside = (
  path: string,
  now: Record<string, FieldPromise>,
  isNew: (path: string) => boolean,
): boolean =>
  Object.entries(now).some(
    ([outer, { optional }]) =>
      isNew(outer) && optional && /^[.[<]/.test(path.slice(outer.length)) && path.startsWith(outer),
  )

/** Of successful answers; a refusal may get another status. */
function lostAnswers(
  before: Contract,
  now: Contract,
  given: Record<string, object>,
  then: Record<string, object>,
): string[] {
  return Object.entries(given).flatMap(([status, response]) => {
    if (!/^[12]/.test(status)) return []
    const after = then[status] && target(now, then[status] as Described)
    if (!after) return [`the answer ${status} is gone`]
    return Object.entries(target(before, response as Described).content ?? {}).flatMap(
      ([type, { schema = {} }]) => {
        const content = after.content?.[type]
        if (!content) return [`the answer ${status} is no longer ${type}`]
        const name = schema.$ref === undefined ? type : nameIn(schema.$ref)
        const fields = (contract: Contract, of: Schema) => ({
          [`${status} ${name}`]: fieldsOf(schemasOf(contract), of),
        })
        return brokenPromises(fields(before, schema), fields(now, content.schema ?? {}))
      },
    )
  })
}
