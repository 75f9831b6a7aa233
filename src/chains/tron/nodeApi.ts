import { ProviderError } from '../chain.ts'
import { type Rest, RestError } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import { headerOf } from './blockReader.ts'
import type { TronBlock } from './rpcTypes.ts'
import { readRevert } from './tokenCalls.ts'

/** What a transfer asks of a node (TRON developer docs, "HTTP API"). What is zero is left out of answers. */

export interface TronAccount {
  /** False where the chain has no such account: then the rest is zero. */
  exists: boolean
  /** Sun. */
  balance: bigint
  isContract: boolean
  /** False where its owner gave the right to sign to other keys, or to several together. */
  signsAlone: boolean
}

/** What is left of an account's resources: bytes of bandwidth, free and staked, and units of staked energy. */
export interface TronResources {
  freeBandwidth: bigint
  stakedBandwidth: bigint
  energy: bigint
}

/**
 * What a call would do. `result` is null where it was undone or could not be run, and `failure` says why in the chain's words.
 * `isMissing`: there is no contract.
 */
export interface TrialRun {
  result: string | null
  energy: bigint
  failure: { message: string; isMissing: boolean } | null
}

/** One question. Whatever went wrong is told with status 200. @throws ProviderError */
export async function askNode<T extends object>(rest: Rest, path: string, body: object): Promise<T> {
  const answer = (await rest.post(path, body)) as (T & { Error?: unknown }) | null
  if (answer === null || typeof answer !== 'object') throw new ProviderError(`${rest.name}: ${path}: no answer`)
  if (answer.Error !== undefined) throw new ProviderError(`${rest.name}: ${path}: ${String(answer.Error).slice(0, 200)}`)
  return answer
}

/** A whole number, zero where it is left out. Above nine thousand million TRX JSON rounds a few sun away. @throws ProviderError */
export function wholeNumber(value: unknown): bigint {
  if (value === undefined) return 0n
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw new ProviderError('an answer with a number that is none')
  return BigInt(value)
}

interface AccountAnswer {
  address?: string
  balance?: number
  type?: string
  owner_permission?: { threshold?: number; keys?: { address: string; weight?: number }[] }
}

/** @param address normal form */
export async function readAccount(rest: Rest, address: string): Promise<TronAccount> {
  const account = await askNode<AccountAnswer>(rest, '/wallet/getaccount', { address })
  return sound(() => {
    if (account.address === undefined) return { exists: false, balance: 0n, isContract: false, signsAlone: true }
    if (account.address.toLowerCase() !== address) throw new ProviderError(`${rest.name} gave another account than ${address}`)
    const { threshold = 0, keys = [] } = account.owner_permission ?? {}
    const weight = keys.find((key) => key.address.toLowerCase() === address)?.weight ?? 0
    return {
      exists: true,
      balance: wholeNumber(account.balance),
      isContract: account.type === 'Contract',
      signsAlone: account.owner_permission === undefined || weight >= threshold,
    }
  })
}

export async function readResources(rest: Rest, address: string): Promise<TronResources> {
  const told = await askNode<Record<string, unknown>>(rest, '/wallet/getaccountresource', { address })
  const left = (limit: string, used: string) => {
    const unused = wholeNumber(told[limit]) - wholeNumber(told[used])
    return unused > 0n ? unused : 0n
  }
  return {
    freeBandwidth: left('freeNetLimit', 'freeNetUsed'),
    stakedBandwidth: left('NetLimit', 'NetUsed'),
    energy: left('EnergyLimit', 'EnergyUsed'),
  }
}

/** Height, id and time of the newest block. */
export async function readHead(rest: Rest, path: '/wallet/getnowblock' | '/walletsolidity/getnowblock') {
  const block = await askNode<TronBlock>(rest, path, {})
  return sound(() => headerOf(block, block.block_header?.raw_data?.number ?? 0))
}

/** The newest solidified block; null where the node has no solidity API. */
export const readSolidHead = (rest: Rest) =>
  readHead(rest, '/walletsolidity/getnowblock').catch((error: unknown) => {
    if (error instanceof RestError && (error.status === 404 || error.status === 405)) return null
    throw error
  })

interface ConstantAnswer {
  result?: { result?: boolean; code?: string; message?: string }
  energy_used?: number
  constant_result?: string[]
  transaction?: { ret?: { ret?: string }[] }
}

/**
 * Runs a call without a transaction. That it fails is an answer: a contract must not be able to make its nodes look broken.
 * @param data hex, selector first
 * @throws ProviderError where the node does not run it, for want of time or by configuration
 */
export async function tryCall(rest: Rest, from: string, contract: string, data: string): Promise<TrialRun> {
  const body = { owner_address: from, contract_address: contract, data }
  const answer = await askNode<ConstantAnswer>(rest, '/wallet/triggerconstantcontract', body)
  return sound(() => {
    const { result: status = {}, constant_result: [result = ''] = [], transaction } = answer
    const message = readable(status.message)
    if (status.code === 'SERVER_BUSY' || /not support constant/i.test(message)) throw new ProviderError(`${rest.name}: ${message || status.code}`)
    const energy = wholeNumber(answer.energy_used)
    const isUndone = transaction?.ret?.some(({ ret }) => ret === 'FAILED') === true || message !== ''
    if (status.result === true && !isUndone) return { result, energy, failure: null }
    const isMissing = /contract is not exist|no contract/i.test(message)
    return { result: null, energy, failure: { message: readRevert(result) ?? (message || status.code || 'the call failed'), isMissing } }
  })
}

/** What a node says of a failure, which may be in hex. Without what looks like bytes of a transaction. */
export function readable(message: unknown): string {
  if (typeof message !== 'string') return ''
  const text = /^([0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString('utf8') : message
  return text
    .replace(/[0-9a-f]{100,}/gi, '…')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200)
}
