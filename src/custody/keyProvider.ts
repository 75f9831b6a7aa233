import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'

/** Wraps and unwraps data keys. This is the whole port: a key management service does the same two things, and its wrapping key never leaves it. */
export interface KeyProvider {
  /** Stored with the keys that it wrapped. */
  name: string
  wrap(dataKey: Secret<Uint8Array>, context: string): Promise<Buffer>
  /** @throws when the wrapped key is of another provider or context, or was changed */
  unwrap(wrapped: Buffer, context: string): Promise<Secret<Uint8Array>>
}

/** The provider for development: the wrapping key comes from the environment (32 bytes, base64). */
export function envKeyProvider(key: Secret): KeyProvider {
  const wrappingKey = new Secret<Uint8Array>(Buffer.from(key.reveal(), 'base64'))
  return {
    name: 'env',
    wrap: async (dataKey, context) => seal(wrappingKey, dataKey.reveal(), context),
    unwrap: async (wrapped, context) => new Secret<Uint8Array>(open(wrappingKey, wrapped, context)),
  }
}
