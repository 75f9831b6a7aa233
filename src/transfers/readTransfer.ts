import type { TransferSpec } from '../chains/action.ts'
import { parseUnits } from '../chains/amount.ts'
import type { Memo } from '../chains/chain.ts'
import { addressCodec, normalForms } from '../chains/codecs.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { ApiError, type FieldError, invalidBody } from '../platform/errors.ts'

/** The fields of a request for a transfer, with any signer. */
export interface TransferRequest {
  chain: string
  toAddress: string
  amount: string
  token?: 'native' | 'usdc' | 'usdt'
  memo?: string
  memoType?: 'text' | 'id' | 'hash'
  gasPrice?: string
  gasLimit?: string
}

export interface WantedTransfer {
  chain: ConfiguredChain
  /** Without its sender. */
  transfer: Omit<TransferSpec, 'from'>
  symbol: string
  decimals: number
}

/** @throws ApiError 400 naming `chain` if it is not configured */
export function configuredChain(ctx: { chains: readonly ConfiguredChain[] }, name: string): ConfiguredChain {
  const chain = ctx.chains.find((each) => each.name === name)
  if (!chain) throw invalidBody({ field: 'chain', message: `${name} is not available on this deployment` })
  return chain
}

/**
 * Reads a request, without asking the chain.
 * @throws ApiError 400 naming the field: `Invalid request body`, `invalid_address`, `wrong_chain_address`
 */
export function readTransfer(ctx: { chains: readonly ConfiguredChain[] }, request: TransferRequest): WantedTransfer {
  const chain = configuredChain(ctx, request.chain)
  const symbol = request.token === undefined || request.token === 'native' ? null : request.token.toUpperCase()
  const token = symbol === null ? null : tokenOf(chain, symbol)
  if (token === undefined) throw invalidBody({ field: 'token', message: `${symbol} is not available on ${chain.name}` })
  const { decimals } = token ?? chain.native
  const amount = parseUnits(request.amount, decimals)
  if (amount === null) throw invalidBody({ field: 'amount', message: `may have ${decimals} decimals at most` })
  if (amount === 0n) throw invalidBody({ field: 'amount', message: 'must be more than zero' })
  const to = readAddress(chain, request.toAddress, 'toAddress')
  return {
    chain,
    symbol: token?.symbol ?? chain.native.symbol,
    decimals,
    transfer: { kind: 'transfer', to, token, amount, memo: readMemo(chain, to, token !== null, request), ...readOverrides(chain, request) },
  }
}

/**
 * @returns the normal form
 * @throws ApiError 400 `wrong_chain_address` for an address of another family, `invalid_address` for anything that is not an address
 */
export function readAddress(chain: Pick<ConfiguredChain, 'name' | 'family'>, text: string, field: string): string {
  const normal = addressCodec(chain.family).normalise(text)
  if (normal !== null) return normal
  const [other] = normalForms(text)
  const [error, message] = other
    ? ['wrong_chain_address', `is an address of ${other.family === 'evm' ? 'EVM chains' : other.family}, not of ${chain.name}`]
    : ['invalid_address', `is no address of ${chain.name}`]
  throw new ApiError(400, error, `${field}: ${message}`, { fields: [{ field, message }] })
}

/**
 * As `readAddress`, but only accounts, which can hold and send: nodes do not find a contract's address as an account.
 * @throws ApiError 400 `wrong_chain_address`, `invalid_address`
 */
export function readHolder(chain: Pick<ConfiguredChain, 'name' | 'family'>, text: string, field: string): string {
  const address = readAddress(chain, text, field)
  if (!addressCodec(chain.family).isContract?.(address)) return address
  const message = 'is the address of a contract, and no account'
  throw new ApiError(400, 'invalid_address', `${field}: ${message}`, { fields: [{ field, message }] })
}

/** The sender's account: a muxed address has no key of its own. */
export function readSender(chain: Pick<ConfiguredChain, 'name' | 'family'>, text: string): string {
  const address = readHolder(chain, text, 'fromAddress')
  return addressCodec(chain.family).account?.(address) ?? address
}

const memoForms: Record<'text' | 'id' | 'hash', { allows(memo: string): boolean; message: string }> = {
  text: { allows: (memo) => Buffer.byteLength(memo) <= 28, message: 'a text memo may have 28 bytes at most' },
  id: { allows: (memo) => /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n, message: 'an id memo is a whole number below 2^64' },
  hash: { allows: (memo) => /^[0-9a-f]{64}$/i.test(memo), message: 'a hash memo is 32 bytes in hex' },
}

/**
 * Memos exist on Stellar only. There a token needs one, or a muxed address: exchanges and wallets that share an account lose transfers without.
 * @param at prefix of field names in errors
 */
export function readMemo(
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  to: string,
  isToken: boolean,
  { memo, memoType }: Pick<TransferRequest, 'memo' | 'memoType'>,
  at = '',
): Memo | null {
  if (chain.family !== 'stellar') {
    if (memo !== undefined) throw invalidBody({ field: `${at}memo`, message: `does not exist on ${chain.name}` })
    // `text` is the contract's default, also for callers that leave it out.
    if (memoType !== undefined && memoType !== 'text') throw invalidBody({ field: `${at}memoType`, message: `does not exist on ${chain.name}` })
    return null
  }
  const isMuxed = to.startsWith('M')
  if (memo === undefined) {
    if (memoType !== undefined && memoType !== 'text') throw invalidBody({ field: `${at}memo`, message: 'is required with memoType' })
    if (isToken && !isMuxed)
      throw invalidBody({ field: `${at}memo`, message: 'is required for USDC and USDT on stellar, unless toAddress is a muxed one (M…)' })
    return null
  }
  // SEP-23: a muxed address contains its id; a memo could contradict it.
  if (isMuxed) throw invalidBody({ field: `${at}memo`, message: 'must be left out with a muxed address, which has its own id' })
  const type = memoType ?? 'text'
  const form = memoForms[type]
  if (!form.allows(memo)) throw invalidBody({ field: `${at}memo`, message: form.message })
  return { type, value: type === 'hash' ? memo.toLowerCase() : memo }
}

/** Wei of all fees for one unit of gas; more is a typing mistake. */
const maxGasPrice = 10n ** 15n
const maxGas = 30_000_000n

function readOverrides(chain: ConfiguredChain, request: TransferRequest): Pick<TransferSpec, 'gasPrice' | 'gasLimit'> {
  const wrong: FieldError[] = []
  const read = (field: 'gasPrice' | 'gasLimit', max: bigint): bigint | null => {
    const given = request[field]
    if (given === undefined) return null
    if (chain.family !== 'evm') wrong.push({ field, message: `is for EVM chains, not for ${chain.name}` })
    else if (BigInt(given) === 0n || BigInt(given) > max) wrong.push({ field, message: `must be a whole number from 1 to ${max}` })
    return BigInt(given)
  }
  const overrides = { gasPrice: read('gasPrice', maxGasPrice), gasLimit: read('gasLimit', maxGas) }
  if (wrong.length > 0) throw invalidBody(...wrong)
  return overrides
}
