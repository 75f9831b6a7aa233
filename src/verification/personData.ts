import { open, seal } from '../custody/seal.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { newDataKeyOf, openDataKey, personKeyContext } from './dataKey.ts'

/** What a request knows of a person. It is only stored sealed. */
export interface Person {
  idNumber?: string
  firstName?: string
  lastName?: string
  dob?: string
  /** Uploads. */
  documents?: string[]
  selfie?: string
  /** Of assessments. */
  country?: string
  /** Of decisions. */
  type?: 'transaction' | 'activity'
  subject?: string
  amount?: string
  currency?: string
  metadata?: Record<string, unknown>
}

type Bytes = Secret<Uint8Array>

const fieldContext = (id: string, name: string) => `cowry/verification/v1/${id}/${name}`

/**
 * A random key for the data of one verification. Destroying it erases them in the database. A backup has it
 * still, sealed with VERIFY_KEY: see docs/custody.md.
 */
export function newDataKey(verifyKey: Secret, id: string): { dataKey: Bytes; sealed: Buffer } {
  const { key: dataKey, sealed } = newDataKeyOf(verifyKey, personKeyContext(id))
  return { dataKey, sealed }
}

/** Seals each field with the verification's key, bound to its row and name. */
export const sealPerson = (id: string, dataKey: Bytes, person: Person): { name: string; sealed: Buffer }[] =>
  Object.entries(person)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name,
      sealed: seal(dataKey, Buffer.from(JSON.stringify(value)), fieldContext(id, name)),
    }))

/** Opens the data of a verification. @throws Error with another key, or if a bit was changed */
export async function readPerson(
  db: Queryable,
  verifyKey: Secret,
  id: string,
  sealedKey: Buffer,
): Promise<Person> {
  const dataKey = openDataKey(verifyKey, personKeyContext(id), sealedKey)
  const fields = await db.query<{ name: string; sealed: Buffer }>(
    'select name, sealed from verification_fields where verification_id = $1',
    [id],
  )
  return Object.fromEntries(
    fields.map(({ name, sealed }) => [
      name,
      JSON.parse(open(dataKey, sealed, fieldContext(id, name)).toString()),
    ]),
  ) as Person
}
