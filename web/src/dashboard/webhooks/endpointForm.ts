import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { withoutRedundant } from './eventTypes.ts'
import type { Endpoint, NewEndpoint } from './types.ts'

type Fields = Pick<
  NewEndpoint,
  'url' | 'description' | 'eventTypes' | 'chains' | 'tokens' | 'referencePrefix' | 'maxPerSecond'
>
type Headers = Record<string, string | null>

/** The fields shared by a new endpoint and a changed one. @throws FieldProblem */
export function readEndpoint(data: FormData): Fields {
  const eventTypes =
    textOf(data, 'limit') === 'some' ? withoutRedundant(data.getAll('eventTypes').map(String)) : null
  if (eventTypes?.length === 0)
    throw new FieldProblem({ eventTypes: 'Choose at least one, or take everything.' })
  const maxPerSecond = trimmed(data, 'maxPerSecond')
  return {
    url: trimmed(data, 'url'),
    description: trimmed(data, 'description'),
    eventTypes,
    chains: listed(data, 'chains', (each) => each.toLowerCase()) as Fields['chains'],
    tokens: listed(data, 'tokens', (each) => each.toUpperCase()),
    referencePrefix: trimmed(data, 'referencePrefix') || null,
    maxPerSecond: maxPerSecond === '' ? null : Number(maxPerSecond),
  }
}

/** Names with commas or spaces between; null: none is given. */
function listed(data: FormData, name: string, normal: (text: string) => string): string[] | null {
  const names = textOf(data, name)
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(normal)
  return names.length > 0 ? [...new Set(names)] : null
}

/**
 * Own headers, one a line as `Name: value`; a name without a value removes the header: null. @throws
 * FieldProblem
 */
export function readHeaders(data: FormData): Headers {
  const lines = textOf(data, 'headers').split('\n')
  const headers: Headers = {}
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw new FieldProblem({ headers: `Line ${i + 1} is not a name, a colon and a value.` })
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim() || null
  }
  return headers
}

/** Own headers of a new endpoint. @throws FieldProblem */
export function readNewHeaders(data: FormData): Record<string, string> {
  const headers = readHeaders(data)
  const empty = Object.keys(headers).find((name) => headers[name] === null)
  if (empty !== undefined) throw new FieldProblem({ headers: `${empty} has no value.` })
  return headers as Record<string, string>
}

/** Fields that differ from the endpoint: the API keeps fields that are left out. */
export function changesOf(endpoint: Pick<Endpoint, keyof Fields>, wanted: Fields): Partial<Fields> {
  const changes: Partial<Fields> = {}
  if (wanted.url !== endpoint.url) changes.url = wanted.url
  if (wanted.description !== endpoint.description) changes.description = wanted.description
  if (!sameTypes(wanted.eventTypes, endpoint.eventTypes)) changes.eventTypes = wanted.eventTypes
  if (!sameTypes(wanted.chains, endpoint.chains)) changes.chains = wanted.chains
  if (!sameTypes(wanted.tokens, endpoint.tokens)) changes.tokens = wanted.tokens
  if (wanted.referencePrefix !== endpoint.referencePrefix) changes.referencePrefix = wanted.referencePrefix
  if (wanted.maxPerSecond !== endpoint.maxPerSecond) changes.maxPerSecond = wanted.maxPerSecond
  return changes
}

const sameTypes = (one: readonly string[] | null, other: readonly string[] | null) =>
  JSON.stringify(one?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null)
