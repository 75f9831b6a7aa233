import { parseSync, Visitor } from 'oxc-parser'

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/

interface Name {
  type: string
  start: number
  name?: string
  value?: unknown
}

/**
 * The snake_case properties that a source reads or declares in a type, such as `3 created_at`. Keys of
 * objects that it makes are left out: they are sent to others (parameters of a database function,
 * environment, JSON of a partner).
 */
export function snakeCaseProperties(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: string[] = []
  const check = (node: object) => {
    const { type, start, name, value } = node as Name
    const property = type === 'Identifier' ? name : value
    if (typeof property === 'string' && snakeCase.test(property))
      found.push(`${source.slice(0, start).split('\n').length} ${property}`)
  }
  new Visitor({
    TSPropertySignature({ computed, key }) {
      if (!computed) check(key)
    },
    MemberExpression({ computed, property }) {
      if (!computed || property.type === 'Literal') check(property)
    },
    ObjectPattern({ properties }) {
      for (const each of properties) if (each.type === 'Property' && !each.computed) check(each.key)
    },
  }).visit(program)
  return found
}
