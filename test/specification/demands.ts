// The terms in which test/specification/operations.ts states the demands of the API's specification.

/** The specification of one field or parameter. The contract may promise more, but not less. */
export interface Demand {
  type: 'string' | 'number' | 'boolean' | 'object' | 'array'
  /** Null is allowed as well. */
  nullable?: true
  /** In a request; left out where the specification leaves it open. */
  presence?: 'required' | 'optional'
  /** Each of these is allowed. */
  values?: readonly string[]
  default?: string | number | boolean
  max?: number
  /** Fields of an object. */
  fields?: Fields
  /** Items of an array. */
  items?: Demand
}

export type Fields = Readonly<Record<string, Demand>>

export interface SpecifiedOperation {
  /** Its method and its path after the base. */
  name: `${'GET' | 'POST'} /${string}`
  /** The prefix of its paths; `/api/v1` by default. */
  base?: string
  /** Accepted credentials; by default both an API key and an access token. */
  credentials?: 'public' | 'access token'
  query?: Fields
  body?: Fields
  /** Left out where the specification does not show it. */
  answer?: Fields
}

export const text: Demand = { type: 'string' }
export const number: Demand = { type: 'number' }
export const boolean: Demand = { type: 'boolean' }
/** With fields of any name. */
export const anyObject: Demand = { type: 'object' }
export const oneOf = (...values: readonly string[]): Demand => ({ type: 'string', values })
export const object = (fields: Fields): Demand => ({ type: 'object', fields })
export const list = (items: Demand): Demand => ({ type: 'array', items })
export const orNull = (demand: Demand): Demand => ({ ...demand, nullable: true })
export const required = (demand: Demand): Demand => ({ ...demand, presence: 'required' })
export const optional = (demand: Demand): Demand => ({ ...demand, presence: 'optional' })
export const withDefault = (demand: Demand, value: string | number | boolean): Demand => ({
  ...demand,
  default: value,
})
