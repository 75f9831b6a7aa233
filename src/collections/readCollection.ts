import { readMemo } from '../chains/readMemo.ts'
import type { ConfiguredChain, TokenSymbol } from '../chains/registry.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import { readRecipient } from '../destinations/readDestination.ts'
import { parseDecimal, parseUnits } from '../money/amount.ts'
import type { CollectionChannel, CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import { isCountry, notCountry } from '../platform/countries.ts'
import { invalidBody } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import { checkPayer, type PayerRequest } from './readPayer.ts'

/** The fields of a request for a collection. */
export interface CollectionWanted extends PayerRequest {
  amount: string
  currency: string
  country: string
  walletAddress: string
  cryptoCurrency: TokenSymbol
  cryptoNetwork: string
  memo?: string
  reference?: string
  metadata?: Record<string, unknown>
}

/** Where the crypto goes to. */
export interface CollectionWallet {
  chain: ConfiguredChain
  token: TokenSymbol
  /** Normal form. */
  address: string
  memo: string | null
}

/** The partner takes whole numbers of 32 bits. */
const maxAmount = 2n ** 31n - 1n

/**
 * Checks what needs no question to the partner.
 * @throws ApiError 400 that names each wrong field; 422 `recipient_is_token`, `recipient_without_key`
 */
export function readCollection(
  ctx: { chains: readonly ConfiguredChain[]; partner: Pick<CollectionPartner, 'networkOf'> },
  wanted: CollectionWanted,
): { localAmount: bigint; wallet: CollectionWallet } {
  requireMetadata(wanted.metadata)
  if (!isCountry(wanted.country))
    throw invalidBody({ field: 'country', message: notCountry, code: 'invalid_country' })
  checkPayer(wanted)
  return { localAmount: localAmountOf(wanted.amount), wallet: walletOf(ctx, wanted) }
}

function localAmountOf(amount: string): bigint {
  const wrong = (code: FieldCode, message: string) => invalidBody({ field: 'amount', message, code })
  const whole = parseUnits(amount, 0)
  if (whole === null) throw wrong('too_many_decimals', 'must be whole units of the currency')
  if (whole === 0n) throw wrong('too_small', 'must be more than zero')
  if (whole > maxAmount) throw wrong('too_large', `must be ${maxAmount} at most`)
  return whole
}

function walletOf(
  ctx: { chains: readonly ConfiguredChain[]; partner: Pick<CollectionPartner, 'networkOf'> },
  { cryptoNetwork, cryptoCurrency: token, walletAddress, memo }: CollectionWanted,
): CollectionWallet {
  const chain = requireChain(ctx, cryptoNetwork, { field: 'cryptoNetwork' })
  requireToken(chain, token, 'cryptoCurrency')
  if (ctx.partner.networkOf(chain.name, token) === null)
    throw invalidBody({
      field: 'cryptoNetwork',
      message: `the partner does not settle ${token} on ${chain.name}`,
      code: 'not_possible',
    })
  const { address } = readRecipient(chain, { address: walletAddress }, 'walletAddress')
  if (chain.family !== 'stellar') {
    readMemo(chain, address, true, memo === undefined ? {} : { memo })
    return { chain, token, address, memo: null }
  }
  // The partner knows plain addresses with a memo only.
  if (address.startsWith('M'))
    throw invalidBody({
      field: 'walletAddress',
      message: 'must be a plain address (G…), with a memo',
      code: 'invalid_form',
    })
  if (memo === undefined)
    throw invalidBody({ field: 'memo', message: 'is required on stellar', code: 'required' })
  return { chain, token, address, memo }
}

/**
 * The channel that takes a collection.
 * @throws ApiError 400 naming `country`, `currency`, `source.accountType`, `source.networkId` or `amount`
 */
export function channelOf(
  channels: readonly CollectionChannel[],
  { country, currency, source }: CollectionWanted,
  localAmount: bigint,
): CollectionChannel {
  const narrowed = (
    from: readonly CollectionChannel[],
    fits: (channel: CollectionChannel) => boolean,
    field: string,
    message: string,
    code: FieldCode = 'not_possible',
  ) => {
    const left = from.filter(fits)
    if (left.length === 0) throw invalidBody({ field, message, code })
    return left
  }
  let left = narrowed(
    channels,
    (each) => each.country === country,
    'country',
    'nothing can be collected there now',
  )
  left = narrowed(left, (each) => each.currency === currency, 'currency', `is not collected in ${country}`)
  left = narrowed(
    left,
    (each) => each.type === source.accountType,
    'source.accountType',
    `is not possible in ${country} now`,
  )
  const { networkId } = source
  if (networkId !== undefined)
    left = narrowed(
      left,
      ({ networks }) => networks.some(({ id }) => id === networkId),
      'source.networkId',
      'is not a network of this channel',
      'unknown_id',
    )
  const fitting = left.find(
    ({ min, max }) => compare(localAmount, min) >= 0 && (max === null || compare(localAmount, max) <= 0),
  )
  if (fitting) return fitting
  const isSmall = left.every(({ min }) => compare(localAmount, min) < 0)
  throw invalidBody({
    field: 'amount',
    code: isSmall ? 'too_small' : 'too_large',
    message: left.map(({ min, max }) => `must be from ${min} to ${max ?? 'any amount'}`).join(', or '),
  })
}

/** Negative if a whole amount is below a decimal, positive if above. */
function compare(amount: bigint, limit: string): number {
  const decimal = parseDecimal(limit)
  if (!decimal) throw new Error(`a channel has the limit ${limit}`)
  const scaled = amount * 10n ** BigInt(decimal.scale)
  if (scaled === decimal.value) return 0
  return scaled < decimal.value ? -1 : 1
}
