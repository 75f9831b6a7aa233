import { messageOf } from '../../platform/errors.ts'
import { ProviderError } from '../chain.ts'

/**
 * Runs a parser on a provider's answer. Any error in it becomes a ProviderError, so that another provider is
 * called.
 */
export function sound<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(`malformed answer: ${messageOf(error)}`)
  }
}
