import { expect } from '@jest/globals'
import { type ChainName, knownChain } from '../../src/chains/registry.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { type Asset, assetsOf, contractOfAsset, heldOn, sentFrom, transactionOn } from './chainBooks.ts'
import { decimalsOf, type Payer } from './payers.ts'
import type { ApiAnswer, Stack } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** Transfers by the API, checked with the chains' own libraries. */

export interface TransferBody {
  id: string
  txHash: string | null
  status: string
  reason: string | null
  message: string | null
  fee: string | null
  gasUsed?: string
  amountReceived?: string
  tokenFee?: string
  blockHeight: number | null
  [field: string]: unknown
}

interface Fee {
  expected: string
  most: string
  besides: string
  currency: string
}
interface Missing {
  symbol: string
  missing: string
  required: string
  available: string
}
interface Estimate {
  fee: Fee
  /** The family's own. */
  terms: Record<string, string>
  sufficient: boolean
  missing: Missing[]
}
interface Prepared {
  id: string
  payload: string
  encoding: string
  signing: string
  fee: Fee
  expiresAt: string
}

/** The fields of a transfer. */
export interface RequestedTransfer {
  from: Payer
  to: string
  token: Asset
  amount: string
  memo?: string
  memoType?: string
  gasPrice?: string
  gasLimit?: string
}

const fields = ({ from: _, to, ...rest }: RequestedTransfer) => ({ toAddress: to, ...rest })

export const estimate = (stack: Stack, requested: RequestedTransfer): Promise<ApiAnswer<Estimate>> =>
  stack.api('POST', '/crypto/transfers/estimate', {
    chain: requested.from.chain,
    fromAddress: requested.from.address,
    ...fields(requested),
  })

export const prepare = (stack: Stack, requested: RequestedTransfer): Promise<ApiAnswer<Prepared>> =>
  stack.api('POST', '/crypto/transfers/prepare', {
    chain: requested.from.chain,
    fromAddress: requested.from.address,
    ...fields(requested),
  })

export const submit = (
  stack: Stack,
  id: string,
  payload: string,
  headers = {},
): Promise<ApiAnswer<TransferBody & { error?: string }>> =>
  stack.api('POST', '/crypto/transfers/submit', { id, payload }, headers)

export const sendWithKey = (stack: Stack, requested: RequestedTransfer): Promise<ApiAnswer<TransferBody>> =>
  stack.api('POST', '/crypto/transfers/tokens', {
    chain: requested.from.chain,
    fromPrivateKey: requested.from.privateKey,
    ...fields(requested),
  })

export const sendFromWallet = (
  stack: Stack,
  walletId: string,
  requested: RequestedTransfer,
): Promise<ApiAnswer<TransferBody>> =>
  stack.api('POST', `/crypto/wallets/${walletId}/transfers`, fields(requested))

export const getTransfer = async (stack: Stack, id: string): Promise<TransferBody> =>
  (await stack.api<TransferBody>('GET', `/crypto/transfers/${id}`)).body

type Holdings = Record<Asset, bigint>

/** Balances by the chain's own library; expects the same from the API. */
export async function holdings(stack: Stack, chain: ChainName, address: string): Promise<Holdings> {
  const held: Holdings = { native: 0n, usdc: 0n, usdt: 0n }
  for (const asset of assetsOf(chain)) held[asset] = await heldOn(stack, chain, asset, address)
  const { status, body } = await stack.api<Balances>('POST', '/crypto/wallets/balance', { chain, address })
  expect([status, body]).toMatchObject([200, { chain, address }])
  const decimals = decimalsOf(stack, chain)
  expect(baseUnits(body.balances.native.balance, decimals.native)).toBe(held.native)
  for (const asset of ['usdc', 'usdt'] as const) {
    if (!assetsOf(chain).includes(asset)) continue
    const contract = contractOfAsset(stack, chain, asset)
    const shown = body.balances.tokens.find((each) => each.address.toLowerCase() === contract.toLowerCase())
    expect(shown).toMatchObject({
      symbol: asset.toUpperCase(),
      decimals: decimals.token,
      baseUnits: held[asset].toString(),
    })
    expect(baseUnits(shown?.balance ?? '', decimals.token)).toBe(held[asset])
  }
  return held
}

interface Balances {
  balances: {
    native: { symbol: string; balance: string; decimals: number }
    tokens: {
      address: string
      symbol: string | null
      balance: string | null
      decimals: number | null
      baseUnits?: string
    }[]
  }
}

export const units = (stack: Stack, { from: { chain }, token, amount }: RequestedTransfer): bigint => {
  const { native, token: ofToken } = decimalsOf(stack, chain)
  return baseUnits(amount, token === 'native' ? native : ofToken)
}
const nativeUnits = (stack: Stack, chain: ChainName, amount: string): bigint =>
  baseUnits(amount, decimalsOf(stack, chain).native)

/** Waits until a transfer has this status. @throws with the last answer */
export async function becomes(
  stack: Stack,
  id: string,
  status: string,
  ask: () => Promise<unknown> = async () => {},
): Promise<TransferBody> {
  let last: TransferBody | undefined
  return waitFor(`transfer ${status}`, async () => {
    last = await getTransfer(stack, id)
    if (last.status === status && last.fee !== null) return last
    await ask()
    return null
  }).catch((error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(last)}\n${stack.troubles()}`)
  })
}

/** Mines a block at a time, no faster than processes poll. */
export function miner(stack: Stack, chain: ChainName): () => Promise<void> {
  let mined = Date.now()
  return async () => {
    if (Date.now() - mined < 250) return
    mined = Date.now()
    await stack.mine(1, chain)
  }
}

/** A way to send a transfer. @returns as soon as it is stored */
export type Way = (requested: RequestedTransfer) => Promise<ApiAnswer<TransferBody>>

interface CarriedOut {
  transfer: TransferBody
  estimated: Fee
}

/**
 * Carries a transfer out, and checks the API's answers with the chain's library: balances of both, the fee,
 * and that it is the only new transaction. Solana takes rent in addition to the fee; on Tron the cost of a
 * new account is in the fee.
 */
export async function carryOut(
  stack: Stack,
  requested: RequestedTransfer,
  way: Way,
  { account = requested.to, waits = false } = {},
): Promise<CarriedOut> {
  const { from, token } = requested
  const { chain, address } = from
  const [sender, recipient, sentBefore] = [
    await holdings(stack, chain, address),
    await holdings(stack, chain, account),
    await sentFrom(stack, chain, address),
  ]
  const estimated = (await estimate(stack, requested)).body
  expect(estimated).toMatchObject({ chain, amount: requested.amount, sufficient: true, missing: [] })

  const sent = await way(requested)
  expect([sent.status, sent.body]).toMatchObject([
    waits ? 202 : 201,
    { status: 'pending', reason: null, fee: null, blockHeight: null },
  ])
  if (!waits) await stack.mine(2, chain)
  const transfer = await becomes(stack, sent.body.id, 'confirmed', waits ? miner(stack, chain) : undefined)
  const found = await transactionOn(stack, chain, transfer.txHash ?? '')
  const symbol = token === 'native' ? knownChain(chain)?.native.symbol : token.toUpperCase()
  expect(transfer).toMatchObject({
    chain,
    token,
    symbol,
    amount: requested.amount,
    fromAddress: address,
    toAddress: requested.to,
    reason: null,
  })
  expect(transfer).toMatchObject({ amountReceived: requested.amount, tokenFee: '0' })
  expect({ ...found, fee: nativeUnits(stack, chain, transfer.fee ?? '') }).toEqual({
    ...found,
    succeeded: true,
  })
  expect([transfer.blockHeight, transfer.gasUsed]).toEqual([found.height, found.gasUsed?.toString()])

  const amount = units(stack, requested)
  const otherCosts = nativeUnits(stack, chain, estimated.fee.besides)
  const after = await holdings(stack, chain, address)
  const paid = { ...sender, native: sender.native - found.fee - (chain === 'solana' ? otherCosts : 0n) }
  expect(after).toEqual({ ...paid, [token]: paid[token] - amount })
  expect(await holdings(stack, chain, account)).toEqual({ ...recipient, [token]: recipient[token] + amount })
  expect([...(await sentFrom(stack, chain, address))].sort()).toEqual([...sentBefore, transfer.txHash].sort())
  expectEstimated(stack, requested, estimated.fee, found.fee, waits)
  return { transfer, estimated: estimated.fee }
}

/**
 * The fee is at most its maximum, and equals the estimate: on EVM up to the margin of the gas estimate, on
 * Solana within a lamport, because each plan draws other compute units.
 */
function expectEstimated(
  stack: Stack,
  { from: { chain }, token }: RequestedTransfer,
  estimated: Fee,
  fee: bigint,
  isLater: boolean,
): void {
  const [expected, max, otherCosts] = [estimated.expected, estimated.most, estimated.besides].map((each) =>
    nativeUnits(stack, chain, each),
  ) as [bigint, bigint, bigint]
  const ofFee = chain === 'tron' ? otherCosts : 0n
  const drawn = chain === 'solana' && token !== 'native' ? 1n : 0n
  expect(fee).toBeLessThanOrEqual(max + ofFee + drawn)
  if (isLater) return
  if (!stack.devnets.has(chain) || token === 'native') {
    expect(fee).toBeLessThanOrEqual(expected + ofFee + drawn)
    expect(fee).toBeGreaterThanOrEqual(expected + ofFee - drawn)
  } else {
    expect(fee).toBeLessThanOrEqual(expected)
    expect(expected * 10n).toBeLessThanOrEqual(fee * 12n)
  }
}
