import type { AddressCodec, Family } from './chain.ts'
import { evmAddress } from './evm/address.ts'
import { isSolanaSignature, solanaAddress } from './solana/address.ts'
import { stellarAddress, stellarAsset } from './stellar/address.ts'
import { claimableBalanceId } from './stellar/claimableBalanceId.ts'
import { tronAddress } from './tron/address.ts'

/** Space around an address is of the copying, in every family. */
const trimming = (codec: AddressCodec): AddressCodec => ({
  ...codec,
  normalise: (text) => codec.normalise(text.trim()),
  ...(codec.hasWrongChecksum && {
    hasWrongChecksum: (text) => codec.hasWrongChecksum?.(text.trim()) ?? false,
  }),
})

const codecs: Record<Family, AddressCodec> = {
  evm: trimming(evmAddress),
  solana: trimming(solanaAddress),
  tron: trimming(tronAddress),
  stellar: trimming(stellarAddress),
}

export const addressCodec = (family: Family): AddressCodec => codecs[family]

/**
 * The normal form of a token: its contract, its mint, or `CODE:ISSUER`. @returns null if the text is not
 * valid for the family
 */
export const tokenContract = (family: Family, text: string): string | null =>
  family === 'stellar' ? stellarAsset(text) : codecs[family].normalise(text)

/** A token in the form that people see. */
export const displayContract = (family: Family, contract: string): string =>
  family === 'stellar' ? contract : codecs[family].display(contract)

/** The normal form of a transaction's id; null if the text is not valid for the family. */
export function transactionId(family: Family, text: string): string | null {
  if (family === 'solana') return isSolanaSignature(text) ? text : null
  const [, hash] = (family === 'evm' ? /^(0x[0-9a-f]{64})$/i : /^(?:0x)?([0-9a-f]{64})$/i).exec(text) ?? []
  return hash?.toLowerCase() ?? null
}

/**
 * The id of the claimable balance that a transfer became; only Stellar has them. @param from of the transfer
 * @param sequence of its transaction
 */
export const claimableOf = (from: string, sequence: bigint): string => claimableBalanceId(from, sequence)

/** The address in its display form; unchanged if no family has it. */
export function shownForm(text: string): string {
  const [found] = normalForms(text)
  return found ? codecs[found.family].display(found.address) : text
}

/** What is wrong with a text that is not an address of a chain, as a predicate. */
export const addressProblem = ({ name, family }: { name: string; family: Family }, text: string): string =>
  codecs[family].hasWrongChecksum?.(text)
    ? `is not an address of ${name}: its checksum is wrong`
    : `is not an address of ${name}`

/**
 * The families of which a text is an address, with its normal form: at most one, since families share no
 * form.
 */
export const normalForms = (text: string): { family: Family; address: string }[] =>
  (Object.keys(codecs) as Family[]).flatMap((family) => {
    const address = codecs[family].normalise(text)
    return address === null ? [] : [{ family, address }]
  })
