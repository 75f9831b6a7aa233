import { base58 } from '@scure/base'
import type { Address, EncodedAccount } from '@solana/kit'
import { clockAddress, clockOf } from './epochs.ts'
import { rpcErrors } from './errors.ts'
import { blockOf, slotOf, type View } from './faces.ts'
import { accountOf, type Commitment, overlayOf } from './ledger.ts'

/** One method of the API. @throws RpcError */
export type Method = (view: View, params: readonly unknown[]) => unknown

/** Options shared by several methods. */
export interface Config {
  commitment?: string
  encoding?: string
  minContextSlot?: number
  maxSupportedTransactionVersion?: number
}

/** The node version in answers. */
export const nodeVersion = '4.3.0'

export const configOf = <T extends object>(params: readonly unknown[], index: number): T & Config => {
  const value = params[index]
  if (value === undefined || value === null) return {} as T & Config
  if (typeof value !== 'object')
    throw rpcErrors.invalidParams('Invalid params: invalid type, expected a configuration object.')
  return value as T & Config
}

/** Defaults to finalized (Solana docs, RPC: configuring state commitment). */
export function commitmentOf(config: Pick<Config, 'commitment'>): Commitment {
  const { commitment = 'finalized' } = config
  if (commitment === 'processed' || commitment === 'confirmed' || commitment === 'finalized')
    return commitment
  throw rpcErrors.invalidParams(
    `Invalid params: unknown variant \`${commitment}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  )
}

/** For methods that read blocks and transactions. */
export function atLeastConfirmed(config: Pick<Config, 'commitment'>): Commitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed')
    throw rpcErrors.invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

export function addressOf(value: unknown): Address {
  if (typeof value !== 'string')
    throw rpcErrors.invalidParams('Invalid params: invalid type, expected a string.')
  return decoded(value, 32) as Address
}

export const signatureOf = (value: unknown): string => decoded(String(value), 64)

function decoded(text: string, size: number): string {
  let bytes: Uint8Array
  try {
    bytes = base58.decode(text)
  } catch {
    throw rpcErrors.invalidParams('Invalid param: Invalid')
  }
  if (bytes.length !== size) throw rpcErrors.invalidParams('Invalid param: WrongSize')
  return text
}

export function slotParam(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw rpcErrors.invalidParams('Invalid params: invalid type, expected u64.')
  return value
}

/** A value with the slot at which it was read. @throws if that is below the caller's minimum slot */
export function inContext<T>(view: View, config: Pick<Config, 'commitment' | 'minContextSlot'>, value: T) {
  const slot = slotOf(view, commitmentOf(config))
  if (config.minContextSlot !== undefined && slot < config.minContextSlot)
    throw rpcErrors.minContextSlotNotReached(slot)
  return { context: { apiVersion: nodeVersion, slot }, value }
}

/**
 * Accounts at a commitment: after the last transaction, the last block or the last final block. The clock is
 * that of its slot.
 */
export interface AccountReader {
  get(address: Address): EncodedAccount | null
  ofProgram(program: Address): EncodedAccount[]
}

export function accountsAt(view: View, commitment: Commitment): AccountReader {
  const { ledger } = view
  const block = blockOf(view, commitment)
  const overlay = block ? overlayOf(ledger, block) : new Map<Address, EncodedAccount | null>()
  return {
    get: (address) => {
      const before = overlay.get(address)
      const account = before === undefined ? accountOf(ledger, address) : before
      return account && block && address === clockAddress
        ? { ...account, data: clockOf(ledger, block.slot, block.time) }
        : account
    },
    ofProgram: (program) => [
      ...ledger.svm.getProgramAccounts(program).filter(({ address }) => !overlay.has(address)),
      ...[...overlay.values()].filter(
        (account): account is EncodedAccount => account?.programAddress === program,
      ),
    ],
  }
}
