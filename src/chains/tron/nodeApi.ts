import { ProviderError } from '../chain.ts'
import { type Rest, RestError } from '../providers/rest.ts'
import { sound } from '../providers/sound.ts'
import { headerOf } from './blockReader.ts'
import type { TronBlock } from './rpcTypes.ts'
import { readRevert } from './tokenCalls.ts'

/**
 * Requests to a node for transfers and balances (TRON developer docs, "HTTP API"). Answers omit zero values.
 */

export interface TronAccount {
  /** False if the chain has no such account; then the rest is zero. */
  exists: boolean
  /** Sun. */
  balance: bigint
  isContract: boolean
  /** False if its owner gave the right to sign to other keys, or to several keys together. */
  signsAlone: boolean
}

/** An account's unused resources: bytes of bandwidth, free and staked, and units of staked energy. */
export interface TronResources {
  freeBandwidth: bigint
  stakedBandwidth: bigint
  energy: bigint
}

/**
 * A simulated call. `result` is null if it reverted or could not run; `failure` has the reason in the chain's
 * terms. `isMissing`: there is no contract.
 */
export interface Simulation {
  result: string | null
  energy: bigint
  failure: { message: string; isMissing: boolean } | null
}

/** Sends one request. Nodes report errors with status 200. @throws ProviderError */
export async function queryNode<T extends object>(rest: Rest, path: string, body: object): Promise<T> {
  const answer = (await rest.post(path, body)) as (T & { Error?: unknown }) | null
  if (answer === null || typeof answer !== 'object')
    throw new ProviderError(`${rest.name}: ${path}: no answer`)
  if (answer.Error !== undefined)
    throw new ProviderError(`${rest.name}: ${path}: ${String(answer.Error).slice(0, 200)}`)
  return answer
}

/**
 * A whole number; zero if omitted. Above nine billion TRX, JSON rounds by a few sun. @throws ProviderError
 */
export function wholeNumber(value: unknown): bigint {
  if (value === undefined) return 0n
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new ProviderError('an answer with an invalid number')
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
  const account = await queryNode<AccountAnswer>(rest, '/wallet/getaccount', { address })
  return sound(() => {
    if (account.address === undefined)
      return { exists: false, balance: 0n, isContract: false, signsAlone: true }
    if (account.address.toLowerCase() !== address)
      throw new ProviderError(`${rest.name} returned another account than ${address}`)
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
  const answered = await queryNode<Record<string, unknown>>(rest, '/wallet/getaccountresource', { address })
  const left = (limit: string, used: string) => {
    const unused = wholeNumber(answered[limit]) - wholeNumber(answered[used])
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
  const block = await queryNode<TronBlock>(rest, path, {})
  return sound(() => headerOf(block, block.block_header?.raw_data?.number ?? 0))
}

/** The newest solidified block; null if the node has no solidity API. */
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
 * Simulates a call. A failed call is an answer: a contract must not make its nodes count as broken.
 * @param data hex, selector first
 * @param value sun that the call sends along
 * @throws ProviderError if the node does not run it, for lack of time or by configuration
 */
export async function simulateCall(
  rest: Rest,
  from: string,
  contract: string,
  data: string,
  value = 0n,
): Promise<Simulation> {
  const body = {
    owner_address: from,
    contract_address: contract,
    data,
    ...(value > 0n ? { call_value: Number(value) } : {}),
  }
  const answer = await queryNode<ConstantAnswer>(rest, '/wallet/triggerconstantcontract', body)
  return sound(() => {
    const { result: status = {}, constant_result: [result = ''] = [], transaction } = answer
    const message = readable(status.message)
    if (status.code === 'SERVER_BUSY' || /not support constant/i.test(message))
      throw new ProviderError(`${rest.name}: ${message || status.code}`)
    const energy = wholeNumber(answer.energy_used)
    const isUndone = transaction?.ret?.some(({ ret }) => ret === 'FAILED') === true || message !== ''
    if (status.result === true && !isUndone) return { result, energy, failure: null }
    const isMissing = /contract is not exist|no contract/i.test(message)
    return {
      result: null,
      energy,
      failure: { message: readRevert(result) ?? (message || status.code || 'the call failed'), isMissing },
    }
  })
}

/** A node's message, decoded from hex if needed, without anything that resembles transaction bytes. */
export function readable(message: unknown): string {
  if (typeof message !== 'string') return ''
  const text = /^([0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString('utf8') : message
  return text
    .replace(/[0-9a-f]{100,}/gi, '…')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200)
}
