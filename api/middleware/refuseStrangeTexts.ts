import { type FieldError, invalidBody, shownField } from '../../src/platform/errors.ts'
import { holdsCredential } from '../../src/platform/secrets.ts'

/** Deeper than any body of the contract, and than anybody's metadata need be. */
const mostDepth = 20

/**
 * Refuses what the contract's schemas do not tell: a key of ours where none belongs, in a label or a URL for instance, because it would be
 * stored and shown; the character NUL, which the database cannot hold; and bodies that are too deep.
 * @throws ApiError 400 naming the fields
 */
export function refuseStrangeTexts(given: unknown): void {
  const found = strangeIn(given, [])
  if (found.length > 0) throw invalidBody(...found)
}

function strangeIn(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') return problemOf(value, path)
  if (value === null || typeof value !== 'object') return []
  if (path.length >= mostDepth) return [{ field: shown(path.slice(0, 3)), message: `is more than ${mostDepth} levels deep` }]
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name]
    // The one field that takes one.
    if (here.length === 1 && name === 'token') return []
    const strange = problemOf(name, here)
    return strange.length > 0 ? strange : strangeIn(part, here)
  })
}

function problemOf(text: string, path: readonly string[]): FieldError[] {
  if (text.includes('\0')) return [{ field: shown(path), message: 'must not contain the character NUL' }]
  if (!holdsCredential(text)) return []
  return [{ field: shown(path), message: 'holds what looks like an API key or another secret of Cowry; it would be stored and shown' }]
}

const shown = (path: readonly string[]): string => path.map(shownField).join('.')
