import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A value that must not be written anywhere by accident. Printing, serialising, inspecting and
 * concatenating it give `[redacted]`; `reveal()` is the one way to the value, so that every use can
 * be found by searching for the word.
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

/** Forms that a credential of ours can be recognised by, wherever it ended up. */
const ownForms = [/ak_(live|test)_[0-9A-Za-z]{16,}/g, /wh(sec|sk)_[0-9A-Za-z+/=]{16,}/g, /invite_[\w-]{43}/g]

/** Runs of base64url's characters with a point between each two, from where the first run begins: each is read once. */
const dottedRuns = /(?<![\w-])[\w-]+(?:\.[\w-]+)+/g
const minPart = 8

/**
 * Replaces JSON Web Tokens: three runs, the first with `eyJ` somewhere, each with eight characters or more after that. One expression for
 * the three would begin again at each `eyJ` of a run: `eyJeyJeyJ…` would take time by the square of its length.
 */
function withoutTokens(runs: string): string {
  const parts = runs.split('.')
  const clean: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const start = part.indexOf('eyJ')
    const isToken =
      start >= 0 && part.length - start - 3 >= minPart && (parts[i + 1]?.length ?? 0) >= minPart && (parts[i + 2]?.length ?? 0) >= minPart
    clean.push(isToken ? part.slice(0, start) + REDACTED : part)
    if (isToken) i += 2
  }
  return clean.join('.')
}

/** Replaces every recognisable credential in a text that is about to leave the process. */
export function scrub(text: string): string {
  let clean = text
  for (const form of ownForms) clean = clean.replace(form, REDACTED)
  return clean.replace(dottedRuns, withoutTokens)
}

/** Whether a text holds a credential of ours. Access tokens are not meant: other people's tokens have the same form. */
export const holdsCredential = (text: string): boolean => ownForms.some((form) => text.search(form) >= 0)
