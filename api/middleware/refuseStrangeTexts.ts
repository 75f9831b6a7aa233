import { createYield } from '../../src/platform/createYield.ts'
import { type FieldError, invalidBody, shownField } from '../../src/platform/errors.ts'
import { holdsCredential } from '../../src/platform/secrets.ts'
import { holdsWalletSecret, looksLikeKey } from '../../src/wallets/walletSecretIn.ts'

/** Deeper than any body of the contract, and than anybody's metadata need be. */
const maxDepth = 20

/** What is stored and shown as it was written; `metadata` with all that is in it. */
const freeTexts = ['name', 'description', 'reason', 'label', 'reference', 'memo']
/** Of these, what is a name and never a hash or a transaction's id, which look like keys. */
const names = ['name', 'description', 'reason']

/**
 * Refuses what the contract's schemas do not tell: a key of ours where none belongs, in a label or a URL for instance, because it would be
 * stored and shown; for the same reason a wallet's secret in a free text; the character NUL, and half a character (a lone surrogate), neither of
 * which the database can hold; and bodies that are too deep.
 * @throws ApiError 400 naming the fields
 */
export async function refuseForbiddenText(given: unknown): Promise<void> {
  const rest = createYield()
  const found: FieldError[] = []
  // A long list element by element, so that other requests run meanwhile.
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

function forbiddenTextIn(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') return problemOf(value, path)
  if (value === null || typeof value !== 'object') return []
  if (path.length >= maxDepth) return [{ field: shown(path.slice(0, 3)), message: `is more than ${maxDepth} levels deep` }]
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name]
    // The one field that takes one.
    if (here.length === 1 && name === 'token') return []
    const strange = problemOf(name, here)
    return strange.length > 0 ? strange : forbiddenTextIn(part, here)
  })
}

function problemOf(text: string, path: readonly string[]): FieldError[] {
  const message = strangenessOf(text, path)
  return message === null ? [] : [{ field: shown(path), message }]
}

/** What is wrong with a text, in words that repeat nothing of it. */
function strangenessOf(text: string, path: readonly string[]): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL'
  if (!text.isWellFormed()) return 'must be whole characters of Unicode: it has half of a pair (a lone surrogate)'
  if (holdsCredential(text)) return 'holds what looks like an API key or another secret of Cowry; it would be stored and shown'
  if (isFree(path) && holdsWalletSecret(text)) return 'holds what looks like a wallet’s secret phrase or key; it would be stored and shown'
  if (isName(path) && looksLikeKey(text)) return 'looks like a private key, and is no name; it would be stored and shown'
  return null
}

/** What others put into metadata is theirs to name. */
const isName = (path: readonly string[]): boolean => names.includes(path.at(-1) ?? '') && !path.includes('metadata')

const isFree = (path: readonly string[]): boolean => path.includes('metadata') || freeTexts.includes(path.at(-1) ?? '')

const shown = (path: readonly string[]): string => path.map(shownField).join('.')
