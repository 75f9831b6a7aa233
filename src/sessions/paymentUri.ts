import { formatUnits } from '../chains/amount.ts'
import type { Family, PaymentAddress } from '../chains/chain.ts'
import { addressCodec, displayContract } from '../chains/codecs.ts'
import type { Chain, Token } from '../chains/registry.ts'

/** What is asked for: where, what, how much. */
export interface PaymentRequest {
  chain: Chain
  token: Token
  /** Normal form. */
  address: string
  /** Base units. */
  amount: bigint
  label: string | null
}

/** How the customer is told to pay: the address as it is shown and, where several share one, what tells them apart. */
export function paymentAddress(family: Family, address: string): Pick<PaymentAddress, 'address'> & Partial<PaymentAddress> {
  const codec = addressCodec(family)
  return codec.payment?.(address) ?? { address: codec.display(address) }
}

/** What a wallet reads from a QR code. */
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
  /** There is no standard: the form that is most like the others, with the contract of the token. */
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
