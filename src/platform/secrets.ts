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
const credentialForms = [...ownForms, /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g]

/** Replaces every recognisable credential in a text that is about to leave the process. */
export function scrub(text: string): string {
  let clean = text
  for (const form of credentialForms) clean = clean.replace(form, REDACTED)
  return clean
}

/** Whether a text holds a credential of ours. Access tokens are not meant: other people's tokens have the same form. */
export const holdsCredential = (text: string): boolean => ownForms.some((form) => text.search(form) >= 0)
