import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A value that must not be written anywhere by accident. Printing, serialising, inspecting and concatenating
 * it give
 * `[redacted]`; `reveal()` is the only way to the value, so that every use can be found by searching for it.
 */
export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T
  constructor(value: T) {
    this.#value = value
  }
  reveal(): T {
    return this.#value
  }
  toString(): string {
    return REDACTED
  }
  toJSON(): string {
    return REDACTED
  }
  [Symbol.toPrimitive](): string {
    return REDACTED
  }
  [inspect.custom](): string {
    return REDACTED
  }
}

/** Patterns of our own credentials. */
const ownForms = [
  /[as]k_(live|test)_[0-9A-Za-z]{16,}/g,
  /wh(sec|sk)_[0-9A-Za-z+/=]{16,}/g,
  /(invite|refund)_[\w-]{43}/g,
]

/** Runs of base64url characters joined by dots, matched from the first run on, so that each is read once. */
const dottedRuns = /(?<![\w-])[\w-]+(?:\.[\w-]+)+/g
const minPart = 8

/**
 * Redacts JSON Web Tokens: three runs, the first with `eyJ` in it, each with at least eight characters after
 * that. A single regular expression would restart at each `eyJ` of a run, and take quadratic time on
 * `eyJeyJeyJ…`.
 */
function withoutTokens(runs: string): string {
  const parts = runs.split('.')
  const clean: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const start = part.indexOf('eyJ')
    const isToken =
      start >= 0 &&
      part.length - start - 3 >= minPart &&
      (parts[i + 1]?.length ?? 0) >= minPart &&
      (parts[i + 2]?.length ?? 0) >= minPart
    clean.push(isToken ? part.slice(0, start) + REDACTED : part)
    if (isToken) i += 2
  }
  return clean.join('.')
}

/**
 * The start of every form below: most texts have no such part, which is a tenth of the work to find out.
 */
const beginnings = /[as]k_(?:live|test)_|wh(?:sec|sk)_|(?:invite|refund)_|eyJ/

/** Redacts every recognisable credential in a text that leaves the process. */
export function scrub(text: string): string {
  if (!beginnings.test(text)) return text
  let clean = text
  for (const form of ownForms) clean = clean.replace(form, REDACTED)
  return clean.replace(dottedRuns, withoutTokens)
}

/**
 * True if a text contains one of our credentials. Access tokens are excluded: tokens of others have the same
 * form.
 */
export const holdsCredential = (text: string): boolean => ownForms.some((form) => text.search(form) >= 0)
