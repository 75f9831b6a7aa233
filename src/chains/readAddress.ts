import { refusedField } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
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
  const { code, message } = addressMistake(chain, text)
  throw refusedField(code, field, message)
}

/** The code and the sentence for a text that is not an address of the chain. */
export function addressMistake(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  text: string,
): { code: FieldCode; message: string } {
  const [other] = normalForms(text)
  if (!other) return { code: 'invalid_address', message: addressProblem(chain, text) }
  const kind = other.family === 'evm' ? 'EVM chains' : other.family
  return { code: 'wrong_chain_address', message: `is an address of ${kind}, not of ${chain.name}` }
}
