import { invalidBody } from '../errors.ts'

const maxMetadataBytes = 4096
/** Postgres stores no NUL in JSON text. After an escaped backslash the same letters are plain text. */
const holdsNul = /(?<!\\)(?:\\\\)*\\u0000/

/** Describes what is wrong with metadata; null: nothing. */
export function metadataProblem(metadata: object): string | null {
  const text = JSON.stringify(metadata)
  if (Buffer.byteLength(text) > maxMetadataBytes) return `must be at most ${maxMetadataBytes} bytes`
  return holdsNul.test(text) ? 'must not contain NUL characters' : null
}

/** @throws ApiError 400 naming `metadata` */
export function requireMetadata(metadata: object | null | undefined): void {
  const problem = metadata ? metadataProblem(metadata) : null
  if (problem !== null) throw invalidBody({ field: 'metadata', message: problem, code: 'too_long' })
}
