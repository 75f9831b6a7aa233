import type { Family } from './chain.ts'
import { addressCodec } from './codecs.ts'
import { evmKeyless } from './evm/keyless.ts'
import { type Chain, registry } from './registry.ts'
import { ActionRefusedError } from './sending.ts'
import { solanaKeyless } from './solana/keyless.ts'
import { stellarKeyless } from './stellar/keyless.ts'
import { tronKeyless } from './tron/keyless.ts'

const byFamily: Record<Family, (address: string) => string | null> = {
  evm: evmKeyless,
  solana: solanaKeyless,
  tron: tronKeyless,
  stellar: stellarKeyless,
}

/**
 * Why no one can sign for an address: what is sent there is lost. Reads no chain.
 * @param address normal form
 * @returns a predicate, such as `is the zero address`; null where there may be a key
 */
export const keylessReason = (family: Family, address: string): string | null =>
  byFamily[family](address) ??
  (isTokenElsewhere(family, address) ? 'is the contract of a token on another chain' : null) ??
  (isBridge(address) ? "is a contract of Circle's bridge" : null)

/** Contracts have no key: on another chain of its family, no one has the key of a token's address. */
const isTokenElsewhere = (family: Family, address: string): boolean =>
  family === 'evm' &&
  registry.some(
    (chain) =>
      chain.family === family &&
      [...chain.tokens, ...chain.lookalikes].some(({ contract }) => contract === address),
  )

/** Each chain of a family has Circle's contracts at the same addresses. */
const isBridge = (address: string): boolean => registry.some((chain) => isBridgeOf(chain, address))

/** Whether an address is a contract of the chain's bridge. @param address normal form */
export const isBridgeOf = ({ cctp }: Pick<Chain, 'cctp'>, address: string): boolean =>
  cctp !== undefined && [cctp.tokenMessenger, cctp.messageTransmitter].includes(address)

/** What is sent to a token itself is lost; on Stellar its issuer burns it. @param address normal form */
export function isTokenAddress(
  { family, tokens, lookalikes }: Pick<Chain, 'family' | 'tokens' | 'lookalikes'>,
  address: string,
): boolean {
  const account = addressCodec(family).account?.(address) ?? address
  const isToken = ({ contract }: { contract: string }) =>
    contract === address || (family === 'stellar' && contract.endsWith(`:${account}`))
  return tokens.some(isToken) || lookalikes.some(isToken)
}

/** For the recipient of a transfer that is about to leave. @throws ActionRefusedError */
export function refuseKeylessRecipient(family: Family, address: string): void {
  const reason = keylessReason(family, address)
  if (reason === null) return
  throw new ActionRefusedError(
    'recipient_without_key',
    `The recipient ${reason}: nobody can move what is sent there`,
    'toAddress',
  )
}
