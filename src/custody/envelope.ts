import { randomBytes } from 'node:crypto'
import { Secret } from '../platform/secrets.ts'
import { type KeyProvider, KeyProviderError, type WrappedKey } from './keyProvider.ts'
import { open, seal } from './seal.ts'

/** The sealed columns of a row. */
export interface Envelope extends WrappedKey {
  sealed: Buffer
}

/** SQL: the columns of an envelope. */
export const envelopeColumns = 'provider, wrapping_key as "wrappingKey", wrapped_key as "wrappedKey", sealed'

/** Seals under a new data key, which only the provider can unwrap. */
export async function sealEnvelope(
  provider: KeyProvider,
  plain: Secret<Uint8Array>,
  context: string,
): Promise<Envelope> {
  const dataKey = new Secret<Uint8Array>(randomBytes(32))
  return { ...(await provider.wrap(dataKey, context)), sealed: seal(dataKey, plain.reveal(), context) }
}

/** @throws KeyProviderError */
export async function openEnvelope(
  provider: KeyProvider,
  envelope: Envelope,
  context: string,
): Promise<Secret<Uint8Array>> {
  const dataKey = await provider.unwrap(envelope, context)
  try {
    return new Secret<Uint8Array>(open(dataKey, envelope.sealed, context))
  } catch {
    throw new KeyProviderError('wrong_key', 'its row was changed')
  }
}
