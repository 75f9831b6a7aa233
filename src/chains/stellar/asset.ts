import { Asset } from '@stellar/stellar-sdk/base'

/** The SDK's asset; null is the native coin. @param contract `CODE:ISSUER` */
export function assetOf(contract: string | null): Asset {
  if (contract === null) return Asset.native()
  const [code = '', issuer] = contract.split(':')
  return new Asset(code, issuer)
}

/** `G…` of a token; empty if the text names no issuer. @param contract `CODE:ISSUER` */
export const issuerOf = (contract: string): string => contract.split(':')[1] ?? ''
