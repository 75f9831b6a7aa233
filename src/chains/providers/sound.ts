import { messageOf } from '../../platform/errors.ts'
import { ProviderError } from '../chain.ts'

/** Reads what a provider answered. Whatever cannot be read, however it is malformed, is that provider's failure and another one is asked. */
export function sound<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(`a malformed answer: ${messageOf(error)}`)
  }
}
