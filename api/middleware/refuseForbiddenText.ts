import { createYield } from '../../src/platform/createYield.ts'
import { type FieldMistake, invalidBody, shownField } from '../../src/platform/errors.ts'
import { holdsInvisible } from '../../src/platform/invisible.ts'
import { holdsCredential } from '../../src/platform/secrets.ts'
import { hasKeyForm, holdsWalletSecret } from '../../src/wallets/walletSecretIn.ts'

/** Deeper than any body of the contract and any reasonable metadata. */
const maxDepth = 20

/** Free texts, stored and shown as written; `metadata` with all its values. */
const freeTexts = ['name', 'description', 'reason', 'label', 'reference', 'memo']
/** Free texts that are names: never a hash or a transaction id, which resemble keys. */
const names = ['name', 'description', 'reason']
/** Texts that people read in the dashboard, in mails and on bank statements. */
const readTexts = [
  'name',
  'description',
  'reason',
  'label',
  'reference',
  'accountName',
  'businessName',
  'proof',
  'firstName',
  'lastName',
  'subject',
]

/**
 * Refuses texts that the contract's schemas cannot exclude: one of our API keys in the wrong field, such as a
 * label or a URL, which would be stored and shown; a wallet's secret in a free text; invisible characters in
 * names and labels; the character NUL and lone surrogates, which Postgres cannot store; and bodies that are
 * nested too deeply.
 * @throws ApiError 400 naming the fields
 */
export async function refuseForbiddenText(given: unknown): Promise<void> {
  const rest = createYield()
  const found: FieldMistake[] = []
  // Check a long list one element at a time, so that other requests run meanwhile.
  for (const [name, part] of given !== null && typeof given === 'object' ? Object.entries(given) : []) {
    if (!Array.isArray(part)) found.push(...forbiddenTextIn({ [name]: part }, []))
    else
      for (const [index, element] of part.entries()) {
        found.push(...forbiddenTextIn({ [index]: element }, [name]))
        await rest()
      }
  }
  if (found.length > 0) throw invalidBody(...found)
}

function forbiddenTextIn(value: unknown, path: readonly string[]): FieldMistake[] {
  if (typeof value === 'string') return problemOf(value, path)
  if (value === null || typeof value !== 'object') return []
  if (path.length >= maxDepth)
    return [
      { field: shown(path.slice(0, 3)), message: `is more than ${maxDepth} levels deep`, code: 'too_long' },
    ]
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name]
    if (here.length === 1 && takesSecret(name, part)) return damageOf(part, here)
    const found = problemOf(name, here)
    return found.length > 0 ? found : forbiddenTextIn(part, here)
  })
}

/**
 * The fields that take a token, or a webhook's own secret, in any form that its users write it in: its check
 * decides which is right.
 */
const takesSecret = (name: string, value: unknown): value is string =>
  typeof value === 'string' && (name === 'token' || (name === 'secret' && /^\s*(v1,)?\s*whsec_/.test(value)))

function problemOf(text: string, path: readonly string[]): FieldMistake[] {
  const message = damageIn(text) ?? reasonToRefuse(text, path)
  return message === null ? [] : [{ field: shown(path), message, code: 'unsafe_text' }]
}

function damageOf(text: string, path: readonly string[]): FieldMistake[] {
  const message = damageIn(text)
  return message === null ? [] : [{ field: shown(path), message, code: 'unsafe_text' }]
}

/** The reason why a text cannot be stored as it is. */
function damageIn(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL'
  return text.isWellFormed() ? null : 'must be valid Unicode: it has half of a character (a lone surrogate)'
}

/** The reason to refuse a text, without quoting it. */
function reasonToRefuse(text: string, path: readonly string[]): string | null {
  if (holdsCredential(text))
    return 'looks like an API key or another secret of Cowry; it would be stored and shown'
  if (isRead(path) && holdsInvisible(text))
    return 'must not contain invisible characters, such as a change of direction'
  if (isFree(path) && holdsWalletSecret(text))
    return 'looks like a wallet’s secret phrase or key; it would be stored and shown'
  if (isName(path) && hasKeyForm(text))
    return 'looks like a private key, not a name; it would be stored and shown'
  return null
}

/** Keys of metadata are the caller's own: they are not our `name` or `reason`. */
const isName = (path: readonly string[]): boolean =>
  names.includes(path.at(-1) ?? '') && !path.includes('metadata')

const isRead = (path: readonly string[]): boolean =>
  readTexts.includes(path.at(-1) ?? '') && !path.includes('metadata')

const isFree = (path: readonly string[]): boolean =>
  path.includes('metadata') || freeTexts.includes(path.at(-1) ?? '')

const shown = (path: readonly string[]): string => path.map(shownField).join('.')
