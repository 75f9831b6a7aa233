import { chainNames } from '../../src/chains/registry.ts'
import { currencyHint } from '../../src/money/currencyHint.ts'
import { hintOf } from '../../src/platform/nearMiss.ts'
import { formatForms, patternForms, type Wording } from './forms.ts'
import type { Schema } from './schemaAt.ts'

const knownChains: ReadonlySet<string> = new Set(chainNames)
/** In both spellings of the contract. */
const knownTokens: ReadonlySet<string> = new Set(['USDC', 'USDT', 'usdc', 'usdt', 'native'])

/** A mistake that the validator found. */
export interface Found {
  /** Of JSON Schema: `required`, `pattern`… */
  keyword: string
  value: unknown
  /** The field is a parameter of the query, where a date is a time. */
  isQuery: boolean
  /** What the value is checked against. */
  schemas: readonly Schema[]
}

const maxShown = 40

/** What is wrong with a value, and what is right, in words. */
export function wordingOf({ keyword, value, isQuery, schemas }: Found): Wording {
  const of = <K extends keyof Schema>(name: K) => schemas.find((each) => each[name] !== undefined)?.[name]
  switch (keyword) {
    case 'required':
      return { code: 'required', message: 'is required' }
    // The validator's own, for times.
    case 'x-eov-type':
      return { code: 'wrong_type', message: 'must be a string' }
    case 'type':
      return { code: 'wrong_type', message: `must be ${typeText(schemas)}${quoted(value, schemas)}` }
    case 'enum':
    case 'const':
      return ofEnum(value, schemas)
    case 'pattern':
      return ofPattern(value, schemas)
    case 'format': {
      const form = formatForms[of('format') ?? '']
      const date = isQuery && form?.code === 'invalid_time' ? ', or a date such as 2026-11-28' : ''
      return form ? { ...form, message: `${form.message}${date}` } : noForm
    }
    case 'minimum':
    case 'exclusiveMinimum':
      return { code: 'too_small', message: `must be ${of('minimum')} or more` }
    case 'maximum':
    case 'exclusiveMaximum':
      return { code: 'too_large', message: `must be at most ${of('maximum')}` }
    case 'minLength':
      return { code: 'too_short', message: `must have ${counted(of('minLength'), 'character')} or more` }
    case 'maxLength':
      return { code: 'too_long', message: `may have ${counted(of('maxLength'), 'character')} at most` }
    case 'minItems':
      return { code: 'too_few', message: `must have ${counted(of('minItems'), 'entry')} or more` }
    case 'maxItems':
      return { code: 'too_many', message: `may have ${counted(of('maxItems'), 'entry')} at most` }
    case 'minProperties':
      return { code: 'too_few', message: `must have ${counted(of('minProperties'), 'field')} or more` }
    case 'maxProperties':
      return { code: 'too_many', message: `may have ${counted(of('maxProperties'), 'field')} at most` }
    case 'uniqueItems':
      return { code: 'duplicate', message: 'has an entry twice' }
    default:
      return noForm
  }
}

const noForm: Wording = {
  code: 'invalid',
  message: 'is not possible in this form; the contract has its forms',
}

function counted(number: number | undefined, what: string): string {
  if (number === 1) return `1 ${what}`
  return `${number} ${what === 'entry' ? 'entries' : `${what}s`}`
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeText(schemas: readonly Schema[]): string {
  const types = [...new Set(schemas.flatMap(({ type = [] }) => type))]
  return types.map((type) => typeNames[type] ?? type).join(' or ')
}

/** A number in place of an amount: shows the text. Other numbers may be codes, which are not repeated. */
function quoted(value: unknown, schemas: readonly Schema[]): string {
  const isAmount = schemas.some(({ pattern = '' }) => patternForms[pattern]?.code === 'invalid_amount')
  const text = typeof value === 'number' ? String(value) : null
  return isAmount && text !== null && text.length <= 20 ? `, in quotes: "${text}"` : ''
}

function ofEnum(value: unknown, schemas: readonly Schema[]): Wording {
  const values = schemas.flatMap((each) => each.enum ?? []).map(String)
  const rest = values.length > maxShown ? ', …' : ''
  const message = `must be ${values.length > 1 ? 'one of ' : ''}${values.slice(0, maxShown).join(', ')}${rest}${hintOf(value, values)}`
  if (values.every((each) => knownChains.has(each))) return { code: 'unknown_chain', message }
  if (values.every((each) => knownTokens.has(each))) return { code: 'unknown_token', message }
  return { code: 'unknown_value', message }
}

function ofPattern(value: unknown, schemas: readonly Schema[]): Wording {
  const pattern = schemas.find((each) => each.pattern !== undefined)?.pattern ?? ''
  const wording = patternForms[pattern] ?? noForm
  if (wording.code === 'invalid_currency')
    return { ...wording, message: `${wording.message}${currencyHint(value)}` }
  if (
    wording.code !== 'invalid_country' ||
    typeof value !== 'string' ||
    value.length > 3 ||
    !/^[a-z]+$/i.test(value)
  )
    return wording
  const upper = value.toUpperCase()
  return new RegExp(pattern).test(upper)
    ? { ...wording, message: `${wording.message}; did you mean ${upper}?` }
    : wording
}
