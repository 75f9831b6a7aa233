import { randomBytes } from 'node:crypto'
import { open, seal } from '../custody/seal.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { Secret } from '../platform/secrets.ts'
import { subkeyOf } from '../platform/subkeys.ts'

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

const sealingKey = (verifyKey: Secret): Bytes => new Secret<Uint8Array>(subkeyOf(verifyKey, 'seal'))
const keyContext = (id: string) => `cowry/verification-key/v1/${id}`
const fieldContext = (id: string, name: string) => `cowry/verification/v1/${id}/${name}`

/** A random key for the data of one verification. Destroying it erases them, also in copies of the database. */
export function newDataKey(verifyKey: Secret, id: string): { dataKey: Bytes; sealed: Buffer } {
  const bytes = randomBytes(32)
  return { dataKey: new Secret<Uint8Array>(bytes), sealed: seal(sealingKey(verifyKey), bytes, keyContext(id)) }
}

/** Seals each field with the verification's key, bound to its row and name, and stores it in the caller's transaction. */
export function storePerson(tx: Tx, id: string, dataKey: Bytes, person: Person): void {
  const fields = Object.entries(person).filter(([, value]) => value !== undefined)
  const sealed = fields.map(([name, value]) => seal(dataKey, Buffer.from(JSON.stringify(value)), fieldContext(id, name)))
  tx.send('insert into verification_fields (verification_id, name, sealed) select $1, * from unnest($2::text[], $3::bytea[])', [
    id,
    fields.map(([name]) => name),
    sealed,
  ])
}

/** Opens the data of a verification. @throws Error with another key, or if a bit was changed */
export async function readPerson(db: Queryable, verifyKey: Secret, id: string, sealedKey: Buffer): Promise<Person> {
  const dataKey = new Secret<Uint8Array>(open(sealingKey(verifyKey), sealedKey, keyContext(id)))
  const fields = await db.query<{ name: string; sealed: Buffer }>('select name, sealed from verification_fields where verification_id = $1', [id])
  return Object.fromEntries(fields.map(({ name, sealed }) => [name, JSON.parse(open(dataKey, sealed, fieldContext(id, name)).toString())])) as Person
}
