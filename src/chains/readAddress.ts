import { ApiError } from '../platform/errors.ts'
import { addressCodec, addressProblem, normalForms } from './codecs.ts'
import type { ConfiguredChain } from './registry.ts'

/**
 * @returns the normal form
 * @throws ApiError 400 `wrong_chain_address` for an address of another family, `invalid_address` for anything
 * that is not an address
 */
export function readAddress(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  text: string,
  field: string,
): string {
  const normal = addressCodec(chain.family).normalise(text)
  if (normal !== null) return normal
  const [other] = normalForms(text)
  const [error, message] = other
    ? [
        'wrong_chain_address',
        `is an address of ${other.family === 'evm' ? 'EVM chains' : other.family}, not of ${chain.name}`,
      ]
    : ['invalid_address', addressProblem(chain, text)]
  throw new ApiError(400, error, `${field}: ${message}`, { fields: [{ field, message }] })
}
