import type { Memo } from '../chains/chain.ts'
import { type MemoRequest, readMemo } from '../chains/readMemo.ts'
import { readRecipientAddress } from '../chains/recipientAddress.ts'
import type { Chain, ConfiguredChain } from '../chains/registry.ts'
import { requireChain } from '../chains/requireChain.ts'
import { partnerNotConfigured } from '../partnerPayments/partnerNotConfigured.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import type { ReadBanks } from '../pricing/bankList.ts'
import type { Bank } from '../pricing/rates.ts'
import { payoutBanks } from './payoutBanks.ts'
import type { BankAccount } from './sealedAccount.ts'

export interface WantedDestination extends MemoRequest {
  name?: string
  networkId?: string
  accountNumber?: string
  accountName?: string
  currency?: string
  chain?: string
  address?: string
}

export type CheckedDestination =
  | { kind: 'bank'; bank: Bank; currency: string; account: BankAccount }
  /** The address in its normal form. */
  | { kind: 'wallet'; chain: ConfiguredChain; address: string; memo: Memo | null }

export interface ReadContext {
  chains: readonly ConfiguredChain[]
  /** Null without a payout partner. */
  banks: ReadBanks | null
}

const ofBank = ['networkId', 'accountNumber', 'accountName', 'currency'] as const
const ofWallet = ['chain', 'address', 'memo', 'memoType'] as const

/**
 * Checks a requested destination.
 * @throws ApiError 400 that names each wrong field without its value; 422 `recipient_is_token`,
 * `recipient_without_key`; 503 `banks_unavailable`, `partner_not_configured`
 */
export async function readDestination(
  ctx: ReadContext,
  wanted: WantedDestination,
): Promise<CheckedDestination> {
  const given = (fields: readonly (keyof WantedDestination)[]) =>
    fields.filter((field) => wanted[field] !== undefined)
  const [bank, wallet] = [given(ofBank), given(ofWallet)]
  if (bank.length > 0 && wallet.length > 0) {
    const message = 'give a bank account or a wallet, and not both'
    throw invalidBody(...[...bank, ...wallet].map((field) => ({ field, message, code: 'not_both' as const })))
  }
  if (bank.length === 0 && wallet.length === 0) {
    const message = 'give networkId, accountNumber and accountName, or chain and address'
    throw invalidBody(
      { field: 'networkId', message, code: 'required' },
      { field: 'chain', message, code: 'required' },
    )
  }
  return bank.length > 0 ? readBankAccount(ctx, wanted) : readWallet(ctx, wanted)
}

async function readBankAccount(ctx: ReadContext, wanted: WantedDestination): Promise<CheckedDestination> {
  const { networkId, accountNumber, accountName } = wanted
  if (networkId === undefined || accountNumber === undefined || accountName === undefined)
    throw missing(wanted, ['networkId', 'accountNumber', 'accountName'])
  const number = accountNumber.replace(/[ -]/g, '').toUpperCase()
  if (!/^[0-9A-Z]{4,34}$/.test(number))
    throw invalidBody({
      field: 'accountNumber',
      message: 'must have 4 to 34 letters and digits',
      code: 'invalid_form',
    })
  if (ctx.banks === null) throw partnerNotConfigured()
  const bank = (await payoutBanks(ctx)).find(({ id }) => id === networkId)
  if (!bank)
    throw invalidBody({
      field: 'networkId',
      message: 'is not the id of a bank that payouts can go to',
      code: 'unknown_id',
    })
  return {
    kind: 'bank',
    bank,
    currency: currencyOf(bank, wanted.currency),
    account: { number: new Secret(number), holder: accountName.trim() },
  }
}

function currencyOf({ currencies }: Bank, wanted: string | undefined): string {
  const [only, ...others] = currencies
  if (only === undefined)
    throw invalidBody({
      field: 'networkId',
      message: 'is of a bank that takes no payouts now',
      code: 'not_possible',
    })
  if (wanted === undefined && others.length > 0)
    throw invalidBody({
      field: 'currency',
      message: `must be one of ${currencies.join(', ')}`,
      code: 'unknown_value',
    })
  if (wanted !== undefined && !currencies.includes(wanted))
    throw invalidBody({
      field: 'currency',
      message: `the bank takes ${currencies.join(', ')}`,
      code: 'unknown_value',
    })
  return wanted ?? only
}

function readWallet(ctx: ReadContext, wanted: WantedDestination): CheckedDestination {
  if (wanted.chain === undefined || wanted.address === undefined) throw missing(wanted, ['chain', 'address'])
  const chain = requireChain(ctx, wanted.chain)
  return { kind: 'wallet', chain, ...readRecipient(chain, { ...wanted, address: wanted.address }, 'address') }
}

/**
 * Checks a recipient on a chain.
 * @param field of the request that names the address
 * @returns the address in its normal form
 * @throws ApiError 400 that names each wrong field; 422 `recipient_is_token`, `recipient_without_key`
 */
export function readRecipient(
  chain: Chain,
  wanted: MemoRequest & { address: string },
  field: string,
): { address: string; memo: Memo | null } {
  const address = readRecipientAddress(chain, wanted.address, field)
  if (wanted.memoType !== undefined && wanted.memo === undefined)
    throw invalidBody({ field: 'memo', message: 'is required with memoType', code: 'required' })
  return { address, memo: readMemo(chain, address, false, wanted) }
}

const missing = (wanted: WantedDestination, needed: readonly (keyof WantedDestination)[]) =>
  invalidBody(
    ...needed
      .filter((field) => wanted[field] === undefined)
      .map((field): FieldMistake => ({ field, message: 'is required', code: 'required' })),
  )
