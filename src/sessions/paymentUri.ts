import type { Family, PaymentAddress } from '../chains/chain.ts'
import { addressCodec, displayContract } from '../chains/codecs.ts'
import type { Chain, Token } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'

export interface PaymentRequest {
  chain: Chain
  token: Token
  /** Normalized. */
  address: string
  /** Base units. */
  amount: bigint
  label: string | null
}

/** The address as shown to the customer, with a memo if several deposits share it. */
export function paymentAddress(
  family: Family,
  address: string,
): Pick<PaymentAddress, 'address'> & Partial<PaymentAddress> {
  const codec = addressCodec(family)
  return codec.payment?.(address) ?? { address: codec.display(address) }
}

/** The URI in the QR code that wallets read. */
export const paymentUri = (request: PaymentRequest): string => forms[request.chain.family](request)

const forms: Record<Family, (request: PaymentRequest) => string> = {
  /** EIP-681. */
  evm: ({ chain, token, address, amount }) => {
    const { display } = addressCodec('evm')
    return `ethereum:${display(token.contract)}@${chain.network}/transfer?address=${display(address)}&uint256=${amount}`
  },
  /** Solana Pay, "transfer request". */
  solana: ({ token, address, amount, label }) =>
    `solana:${address}?${query({ amount: formatUnits(amount, token.decimals), 'spl-token': token.contract, label })}`,
  /** Tron has no standard: the closest form to the others, with the token's contract. */
  tron: ({ token, address, amount }) =>
    `tron:${addressCodec('tron').display(address)}?${query({ amount: formatUnits(amount, token.decimals), token: displayContract('tron', token.contract) })}`,
  /** SEP-7. */
  stellar: ({ token, address, amount }) => {
    const { address: destination, memo } = paymentAddress('stellar', address)
    const [code, issuer] = token.contract.split(':')
    const asset = { asset_code: code, asset_issuer: issuer, memo, memo_type: 'MEMO_ID' }
    return `web+stellar:pay?${query({ destination, amount: formatUnits(amount, token.decimals), ...asset })}`
  },
}

const query = (values: Record<string, string | null | undefined>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value == null ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')
