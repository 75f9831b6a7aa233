// The words in which test/specification/operations.ts states what the API's specification demands.

/** What the specification says of one field or parameter. The contract may say more, unless it takes something away. */
export interface Demand {
  type: 'string' | 'number' | 'boolean' | 'object' | 'array'
  /** Null as well. */
  nullable?: true
  /** Of a request; left out where the specification does not say. */
  presence?: 'required' | 'optional'
  /** Each of these is allowed. */
  values?: readonly string[]
  default?: string | number | boolean
  max?: number
  /** Of an object. */
  fields?: Fields
  /** Of an array. */
  items?: Demand
}

export type Fields = Readonly<Record<string, Demand>>

export interface SpecifiedOperation {
  /** Its method and its path after the base. */
  name: `${'GET' | 'POST'} /${string}`
  /** What its paths begin with; `/api/v1` where it is left out. */
  base?: string
  /** What it takes; where it is left out, an API key and an access token, whichever is sent. */
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
export const withDefault = (demand: Demand, value: string | number | boolean): Demand => ({ ...demand, default: value })
