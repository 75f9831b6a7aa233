import { type Contract, type Operation, operationsOf } from '../../api/contract.ts'
import type { Demand, Fields, SpecifiedOperation } from './demands.ts'
import { type Schema, schemaReader } from './schema.ts'

/**
 * The operation of the contract at the specified method and path, with any names of path parameters; null
 * while it is not built.
 */
export function builtOperation(
  { name, base = '/api/v1' }: SpecifiedOperation,
  contract: Contract,
): Operation | null {
  const [method, path] = name.split(' ') as [string, string]
  const unnamed = (text: string) => text.replace(/\{\w+\}/g, '{}')
  const found = operationsOf(contract).find(
    (each) =>
      each.method === method.toLowerCase() &&
      each.servers.some((server) => unnamed(pathOf(server) + each.path) === unnamed(base + path)),
  )
  return found?.operation ?? null
}

const pathOf = (server: string) => new URL(server, 'http://localhost').pathname.replace(/\/$/, '')

/**
 * The demands of the specification on an operation that the contract does not meet, one a line. @throws while
 * it is not built
 */
export function missesOf(specified: SpecifiedOperation, contract: Contract): string[] {
  const operation = builtOperation(specified, contract)
  if (!operation) throw new Error(`${specified.name} is not built`)
  const read = schemaReader(contract)
  // A miss in several answers counts once.
  const misses = new Set<string>()
  const check = (holds: boolean, what: string) => {
    if (!holds) misses.add(`${specified.name} ${what}`)
  }

  const checkDemand = (where: string, demand: Demand, schema: Schema | undefined) => {
    if (!schema) return check(false, `${where} is missing`)
    check(schema.types.includes(demand.type), `${where} is not of type ${demand.type}`)
    check(!schema.types.includes('null') || demand.nullable === true, `${where} can be null`)
    check(!demand.nullable || schema.types.includes('null'), `${where} cannot be null`)
    for (const value of demand.values ?? [])
      check(schema.values.includes(value), `${where} does not allow ${value}`)
    if (demand.default !== undefined)
      check(schema.default === demand.default, `${where} has another default than ${demand.default}`)
    if (demand.max !== undefined)
      check(schema.maximum === demand.max, `${where} has another maximum than ${demand.max}`)
    if (demand.items) checkDemand(`${where}[]`, demand.items, schema.items && read(schema.items))
    for (const [name, inner] of Object.entries(demand.fields ?? {}))
      checkDemand(`${where}.${name}`, inner, schema.property(name))
  }

  const checkPresence = (
    where: string,
    demanded: Fields,
    isRequired: (name: string) => boolean,
    names: Iterable<string>,
  ) => {
    for (const [name, { presence }] of Object.entries(demanded)) {
      check(presence !== 'required' || isRequired(name), `${where}.${name} is not required`)
      check(presence !== 'optional' || !isRequired(name), `${where}.${name} is required`)
    }
    for (const name of names)
      check(name in demanded || !isRequired(name), `${where}.${name} is required, and not specified`)
  }

  const checkObject = (where: string, fields: Fields, schema: Schema | undefined) => {
    for (const [name, demand] of Object.entries(fields))
      checkDemand(`${where}.${name}`, demand, schema?.property(name))
  }

  /** In a query one value looks the same where several are possible: `status=paid`. */
  const oneOf = (schema: Schema | undefined, { type }: Demand) =>
    schema?.items && type !== 'array' && schema.types.includes('array') ? read(schema.items) : schema

  const { query = {}, body = {}, answer, credentials } = specified
  const content = read.jsonOf(operation.requestBody)
  checkObject('body', body, content)
  checkPresence('body', body, (name) => content?.required.includes(name) ?? false, content?.names ?? [])

  const parameters = read.queryOf(operation)
  for (const [name, demand] of Object.entries(query))
    checkDemand(`query.${name}`, demand, oneOf(parameters.get(name)?.schema, demand))
  checkPresence('query', query, (name) => parameters.get(name)?.required ?? false, parameters.keys())

  if (answer) {
    const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
      status.startsWith('2') ? [read.jsonOf(response)] : [],
    )
    check(answers.length > 0 && !answers.includes(undefined), 'has no answer')
    for (const each of answers) if (each) checkObject('answer', answer, each)
  }

  const accepted = read.credentialsOf(operation)
  check(credentials !== 'public' || accepted.has('public'), 'asks for credentials')
  if (credentials !== 'public') {
    check(!accepted.has('public'), 'is public')
    check(accepted.has('access token'), 'takes no access token')
    check(credentials === 'access token' || accepted.has('API key'), 'takes no API key')
  }

  for (const status of errorsOf(specified)) {
    const error = read.jsonOf(operation.responses[status])
    check(
      error?.property('error') !== undefined && error.property('message') !== undefined,
      `describes no error ${status}`,
    )
  }
  return [...misses]
}

/** The statuses of the specification's section "Errors" that an operation can answer. */
export function errorsOf({ name, query, body, credentials }: SpecifiedOperation): string[] {
  return [
    ...(query || body ? ['400'] : []),
    ...(credentials === 'public' ? [] : ['401', '403']),
    ...(name.includes('{id}') ? ['404'] : []),
    '429',
    '500',
  ]
}
