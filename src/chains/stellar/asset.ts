import { Asset } from '@stellar/stellar-sdk/base'

/** An asset as the chain's own library has it; null is the native coin. @param contract `CODE:ISSUER` */
export function assetOf(contract: string | null): Asset {
  if (contract === null) return Asset.native()
  const [code = '', issuer] = contract.split(':')
  return new Asset(code, issuer)
}

/** `G…` of a token; empty where the text names none. @param contract `CODE:ISSUER` */
export const issuerOf = (contract: string): string => contract.split(':')[1] ?? ''
