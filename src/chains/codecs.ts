import type { AddressCodec, Family } from './chain.ts'
import { evmAddress } from './evm/address.ts'
import { isSolanaSignature, solanaAddress } from './solana/address.ts'
import { stellarAddress, stellarAsset } from './stellar/address.ts'
import { tronAddress } from './tron/address.ts'

const codecs: Record<Family, AddressCodec> = { evm: evmAddress, solana: solanaAddress, tron: tronAddress, stellar: stellarAddress }

export const addressCodec = (family: Family): AddressCodec => codecs[family]

/** The normal form of a token: its contract, its mint, or `CODE:ISSUER`. Null where the text is none of the family. */
export const tokenContract = (family: Family, text: string): string | null =>
  family === 'stellar' ? stellarAsset(text) : codecs[family].normalise(text)

/** A token as people write it. */
export const displayContract = (family: Family, contract: string): string => (family === 'stellar' ? contract : codecs[family].display(contract))

/** The one form of a transaction's id; null where the text is none of the family. */
export function transactionId(family: Family, text: string): string | null {
  if (family === 'solana') return isSolanaSignature(text) ? text : null
  const [, hash] = (family === 'evm' ? /^(0x[0-9a-f]{64})$/i : /^(?:0x)?([0-9a-f]{64})$/i).exec(text) ?? []
  return hash?.toLowerCase() ?? null
}

/** The address in every form that is shown; the text itself where it is one of no family. */
export function shownForm(text: string): string {
  const [found] = normalForms(text)
  return found ? codecs[found.family].display(found.address) : text
}

/** The families that a text is an address of, with its normal form there: none, or one, since no form is shared. */
export const normalForms = (text: string): { family: Family; address: string }[] =>
  (Object.keys(codecs) as Family[]).flatMap((family) => {
    const address = codecs[family].normalise(text)
    return address === null ? [] : [{ family, address }]
  })
