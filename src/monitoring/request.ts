import { addressCodec } from '../chains/codecs.ts'
import { addressMistake } from '../chains/readAddress.ts'
import type { Chain } from '../chains/registry.ts'
import { createYield } from '../platform/createYield.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { metadataProblem } from '../platform/http/metadata.ts'

/** Maximum number of wrong fields named in one answer. */
const maxNamed = 100

/**
 * Normalises an address.
 * @throws ApiError 400 naming `address`
 */
export function requireAddress(chain: Pick<Chain, 'name' | 'family'>, text: string): string {
  const address = addressCodec(chain.family).normalise(text)
  if (address === null) throw invalidBody({ field: 'address', ...addressMistake(chain, text) })
  return address
}

/**
 * Normalises every address.
 * @param single the request had one address, not a list
 * @throws ApiError 400 naming `addresses.N.address` or `addresses.N.metadata` of the first hundred errors;
 * for a single
 *   one `address` or `metadata`
 */
export async function requireEntries(
  chain: Pick<Chain, 'name' | 'family'>,
  entries: readonly { address: string; metadata?: object | null | undefined }[],
  single: boolean,
): Promise<string[]> {
  const { normalise } = addressCodec(chain.family)
  const rest = createYield()
  const wrong: FieldMistake[] = []
  const normal: string[] = []
  const prefix = (index: number) => (single ? '' : `addresses.${index}.`)
  for (const [index, { address, metadata }] of entries.entries()) {
    const found = normalise(address)
    if (found === null) wrong.push({ field: `${prefix(index)}address`, ...addressMistake(chain, address) })
    const problem = metadata ? metadataProblem(metadata) : null
    if (problem !== null)
      wrong.push({ field: `${prefix(index)}metadata`, message: problem, code: 'too_long' })
    normal.push(found ?? '')
    await rest()
  }
  if (wrong.length > 0) throw invalidBody(...wrong.slice(0, maxNamed))
  return normal
}
