import { toEventSelector } from 'viem/utils'
import type { TrialApproval, TrialMovement } from '../../swapping.ts'

/** A log of `eth_simulateV1`. */
export interface TrialLog {
  address: string
  topics: readonly string[]
  data: string
}

/** The address under which nodes log transfers of the coin (ERC-7528; execution-apis, `eth_simulateV1`). */
const coinAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

const transfer = toEventSelector('Transfer(address,address,uint256)')
/** ERC-1155. */
const manyTransfers = [
  toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
]
const approvals = [
  toEventSelector('Approval(address,address,uint256)'),
  toEventSelector('ApprovalForAll(address,address,bool)'),
]

/** All that a log moves: ERC-20, ERC-721, ERC-1155, and the coin. */
export function movementIn({ address, topics, data }: TrialLog): TrialMovement[] {
  const [event, ...words] = [...topics, ...wordsIn(data)].map((word) => word.toLowerCase())
  const token = address.toLowerCase() === coinAddress ? null : address.toLowerCase()
  if (event === transfer) {
    // The fourth topic of ERC-721 is the number of a token.
    const amount = topics.length === 4 || words[2] === undefined ? null : BigInt(words[2])
    return [{ token, from: addressOf(words[0]), to: addressOf(words[1]), amount }]
  }
  if (event === undefined || !manyTransfers.includes(event as never)) return []
  return [{ token, from: addressOf(words[1]), to: addressOf(words[2]), amount: null }]
}

export function approvalIn({ address, topics, data }: TrialLog): TrialApproval[] {
  const [event, ...words] = [...topics, ...wordsIn(data)].map((word) => word.toLowerCase())
  if (event === undefined || !approvals.includes(event as never)) return []
  return [{ token: address.toLowerCase(), owner: addressOf(words[0]), spender: addressOf(words[1]) }]
}

const wordsIn = (data: string): string[] =>
  data
    .slice(2)
    .match(/.{64}/g)
    ?.map((word) => `0x${word}`) ?? []

const addressOf = (word = ''): string => `0x${word.slice(-40)}`
