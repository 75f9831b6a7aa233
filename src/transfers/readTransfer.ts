import type { IfNoTrustline, TransferSpec } from '../chains/action.ts'
import { addressCodec } from '../chains/codecs.ts'
import { readAddress } from '../chains/readAddress.ts'
import { type MemoRequest, readMemo } from '../chains/readMemo.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import { type FieldMistake, invalidBody, refusedField } from '../platform/errors.ts'
import { readIfNoTrustline } from './readIfNoTrustline.ts'

/** The fields of a request for a transfer, with any signer. */
export interface TransferRequest extends MemoRequest {
  chain: string
  toAddress: string
  amount: string
  token?: 'native' | 'usdc' | 'usdt'
  gasPrice?: string
  gasLimit?: string
  /** From stored wallets only. */
  ifNoTrustline?: IfNoTrustline['kind']
  waitSeconds?: number
}

export interface WantedTransfer {
  chain: ConfiguredChain
  /** Without its sender. */
  transfer: Omit<TransferSpec, 'from'>
  symbol: string
  decimals: number
}

/**
 * Reads a request, without the chain.
 * @throws ApiError 400 naming the field: `Invalid request body`, `invalid_address`, `wrong_chain_address`
 */
export function readTransfer(
  ctx: { chains: readonly ConfiguredChain[] },
  request: TransferRequest,
): WantedTransfer {
  const chain = requireChain(ctx, request.chain)
  const token =
    request.token === undefined || request.token === 'native'
      ? null
      : requireToken(chain, request.token.toUpperCase())
  const { decimals } = token ?? chain.native
  const amount = requireAmount(request.amount, decimals, 'amount')
  const to = readAddress(chain, request.toAddress, 'toAddress')
  return {
    chain,
    symbol: token?.symbol ?? chain.native.symbol,
    decimals,
    transfer: {
      kind: 'transfer',
      to,
      token,
      amount,
      memo: readMemo(chain, to, token !== null, request),
      ...readOverrides(chain, request),
      ...readIfNoTrustline(chain, to, token !== null, request),
    },
  }
}

/**
 * As `readAddress`, but only accounts, which can hold and send: nodes do not find a contract's address as an
 * account.
 * @throws ApiError 400 `wrong_chain_address`, `invalid_address`
 */
export function readHolder(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  text: string,
  field: string,
): string {
  const address = readAddress(chain, text, field)
  if (!addressCodec(chain.family).isContract?.(address)) return address
  const message = 'is the address of a contract, and no account'
  throw refusedField('invalid_address', field, message)
}

/** The sender's account: a muxed address has no key of its own. */
export function readSender(chain: Pick<ConfiguredChain, 'name' | 'family'>, text: string): string {
  const address = readHolder(chain, text, 'fromAddress')
  return addressCodec(chain.family).account?.(address) ?? address
}

/** Later, a transfer that waits has long been forgotten. */
const maxValidDays = 30

/** @throws ApiError 400 naming the field, unless the time is in the future and not too far */
export function readValidUntil(text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  const inMs = at.getTime() - Date.now()
  if (inMs > 0 && inMs <= maxValidDays * 24 * 3_600_000) return at
  throw invalidBody({
    field: 'validUntil',
    message: `must be in the future, and at most ${maxValidDays} days from now`,
    code: 'not_in_future',
  })
}

/** Wei of all fees for one unit of gas; more is a typing mistake. */
const maxGasPrice = 10n ** 15n
const maxGas = 30_000_000n

function readOverrides(
  chain: ConfiguredChain,
  request: TransferRequest,
): Pick<TransferSpec, 'gasPrice' | 'gasLimit'> {
  const wrong: FieldMistake[] = []
  const read = (field: 'gasPrice' | 'gasLimit', max: bigint): bigint | null => {
    const given = request[field]
    if (given === undefined) return null
    if (chain.family !== 'evm')
      wrong.push({ field, message: `is for EVM chains, not for ${chain.name}`, code: 'not_possible' })
    else if (BigInt(given) === 0n || BigInt(given) > max)
      wrong.push({ field, message: `must be a whole number from 1 to ${max}`, code: 'too_large' })
    return BigInt(given)
  }
  const overrides = { gasPrice: read('gasPrice', maxGasPrice), gasLimit: read('gasLimit', maxGas) }
  if (wrong.length > 0) throw invalidBody(...wrong)
  return overrides
}
