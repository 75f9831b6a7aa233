import { createHash } from 'node:crypto'
import { BaseError, messageOf, type Retry } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'

/**
 * Names a wrapping key, and reveals nothing of it. Stored with each key that it wrapped, so that rows of two
 * keys can be distinguished.
 */
export interface WrappingKey {
  provider: string
  /** Null in rows of the versions that had one key for each provider. */
  wrappingKey: string | null
}

export interface WrappedKey extends WrappingKey {
  wrappedKey: Buffer
}

/**
 * Wraps and unwraps data keys. This is the whole port: a key management service does the same two things, and
 * its wrapping key never leaves it.
 */
export interface KeyProvider {
  /** The key that wraps. */
  current: WrappingKey
  wrap(dataKey: Secret<Uint8Array>, context: string): Promise<WrappedKey>
  /** @throws KeyProviderError */
  unwrap(wrapped: WrappedKey, context: string): Promise<Secret<Uint8Array>>
}

/**
 * - `wrong_key`: it was wrapped by another key or for another purpose, or was changed
 * - `refused`: the service refuses the request, or its answer cannot be trusted
 * - `unavailable`: the service did not answer; retry
 */
export type KeyProviderProblem = 'wrong_key' | 'refused' | 'unavailable'

/** A wrapped key cannot be opened. The message completes "the seed cannot be opened: …". */
export class KeyProviderError extends BaseError {
  readonly code = 'key_provider_failed'
  readonly retry: Retry
  readonly problem: KeyProviderProblem
  constructor(problem: KeyProviderProblem, message: string) {
    super(message)
    this.retry = problem === 'unavailable' ? 'yes' : 'no'
    this.problem = problem
  }
}

/** The provider without another service: the wrapping key comes from the environment (32 bytes, base64). */
export const envKeyProvider = (key: Secret): KeyProvider => keyRing([envKey(key)])

function envKey(key: Secret): KeyProvider {
  const bytes = Buffer.from(key.reveal(), 'base64')
  const wrappingKey = new Secret<Uint8Array>(bytes)
  // The key is random, so that a part of its hash reveals nothing about it.
  const current = {
    provider: 'env',
    wrappingKey: createHash('sha256').update('cowry/seed-key/v1').update(bytes).digest('hex').slice(0, 16),
  }
  return {
    current,
    wrap: async (dataKey, context) => ({
      ...current,
      wrappedKey: seal(wrappingKey, dataKey.reveal(), context),
    }),
    async unwrap({ wrappedKey }, context) {
      try {
        return new Secret<Uint8Array>(open(wrappingKey, wrappedKey, context))
      } catch {
        throw new KeyProviderError('wrong_key', 'SEED_KEY is not the one it was sealed with')
      }
    },
  }
}

const isOf = (wrapped: WrappingKey, { provider, wrappingKey }: WrappingKey) =>
  wrapped.provider === provider && (wrapped.wrappingKey === null || wrapped.wrappingKey === wrappingKey)

/** Wraps with the first key, and unwraps with each: what was not rolled yet stays readable. */
export function keyRing(providers: readonly [KeyProvider, ...KeyProvider[]]): KeyProvider {
  const [first] = providers
  return {
    current: first.current,
    wrap: (dataKey, context) => first.wrap(dataKey, context),
    async unwrap(wrapped, context) {
      const able = providers.filter(({ current }) => isOf(wrapped, current))
      if (able.length === 0) throw notConfigured(wrapped, providers)
      const failures: unknown[] = []
      for (const provider of able) {
        try {
          return await provider.unwrap(wrapped, context)
        } catch (error) {
          failures.push(error)
        }
      }
      throw failures[0] instanceof Error ? failures[0] : new Error(messageOf(failures[0]))
    },
  }
}

function notConfigured(
  { provider, wrappingKey }: WrappingKey,
  providers: readonly KeyProvider[],
): KeyProviderError {
  const names = [...new Set(providers.map(({ current }) => current.provider))]
  if (!names.includes(provider)) {
    const configured = names.map((name) => `"${name}"`).join(' and ')
    return new KeyProviderError(
      'wrong_key',
      `it is sealed by the key provider "${provider}"; ${configured} is configured`,
    )
  }
  if (provider === 'env')
    return new KeyProviderError('wrong_key', 'SEED_KEY is not the one it was sealed with')
  return new KeyProviderError(
    'wrong_key',
    `it is sealed by the key ${wrappingKey} of ${provider}, which is not configured`,
  )
}
