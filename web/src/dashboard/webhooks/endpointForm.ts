import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { withoutRedundant } from './eventTypes.ts'
import type { Endpoint, NewEndpoint } from './types.ts'

type Fields = Pick<NewEndpoint, 'url' | 'description' | 'eventTypes'>

/** The fields shared by a new endpoint and a changed one. @throws FieldProblem */
export function readEndpoint(data: FormData): Fields {
  const eventTypes = textOf(data, 'limit') === 'some' ? withoutRedundant(data.getAll('eventTypes').map(String)) : null
  if (eventTypes?.length === 0) throw new FieldProblem({ eventTypes: 'Choose at least one, or take everything.' })
  return { url: trimmed(data, 'url'), description: trimmed(data, 'description'), eventTypes }
}

/** Fields that differ from the endpoint: the API keeps fields that are left out. */
export function changesOf(endpoint: Pick<Endpoint, keyof Fields>, wanted: Fields): Partial<Fields> {
  const changes: Partial<Fields> = {}
  if (wanted.url !== endpoint.url) changes.url = wanted.url
  if (wanted.description !== endpoint.description) changes.description = wanted.description
  if (!sameTypes(wanted.eventTypes, endpoint.eventTypes)) changes.eventTypes = wanted.eventTypes
  return changes
}

const sameTypes = (one: string[] | null, other: string[] | null) =>
  JSON.stringify(one?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null)
