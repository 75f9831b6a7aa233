import { decodeFunctionData, erc20Abi, type Hex } from 'viem'
import { readRecording } from '../readRecording.ts'

/** Addresses in the nodes' format: `41` and twenty bytes, hex. */
export interface CountedTransfer {
  txId: string
  from: string
  to: string
  /** Null for TRX. */
  contract: string | null
  /** Base units, positive. */
  amount: bigint
}

interface ContractValue {
  owner_address: string
  to_address?: string
  contract_address?: string
  amount?: number
  call_value?: number
  data?: string
}

/** As in `getblockbynum`, with the JSON that the node decodes. */
export interface RawTransaction {
  txID: string
  ret: { contractRet?: string }[]
  raw_data_hex: string
  raw_data: { contract: { type: string; parameter: { value: ContractValue } }[] }
}

/** @param name of a file with a whole block */
export const rawTransactions = (name: string): RawTransaction[] =>
  readRecording<{ transactions: RawTransaction[] }>(`tron/${name}`).transactions

/**
 * Transfers of a successful transaction: TRX from the decoded JSON, tokens from calls of TIP-20. TRC-10 is
 * not counted.
 */
export function countTransfers({ txID, ret, raw_data }: RawTransaction): CountedTransfer[] {
  if (ret.some(({ contractRet }) => contractRet !== 'SUCCESS')) return []
  const transfers = raw_data.contract.flatMap(({ type, parameter: { value } }): CountedTransfer[] => {
    const {
      owner_address: from,
      to_address = '',
      contract_address = '',
      amount = 0,
      call_value = 0,
      data = '',
    } = value
    if (type === 'TransferContract')
      return [{ txId: txID, from, to: to_address, contract: null, amount: BigInt(amount) }]
    if (type !== 'TriggerSmartContract') return []
    return [
      { txId: txID, from, to: contract_address, contract: null, amount: BigInt(call_value) },
      ...called(txID, from, contract_address, data),
    ]
  })
  return transfers.filter(({ amount }) => amount > 0n)
}

const ofViem = (address: string) => `41${address.slice(2).toLowerCase()}`

function called(txId: string, owner: string, contract: string, data: string): CountedTransfer[] {
  // viem ignores the bytes before an address in its 32 bytes; Tron's wallets put their prefix there.
  const decoded = decoded20(`0x${data.toLowerCase()}`)
  if (decoded?.functionName === 'transfer') {
    const [to, amount] = decoded.args
    return [{ txId, from: owner, to: ofViem(to), contract, amount }]
  }
  if (decoded?.functionName !== 'transferFrom') return []
  const [from, to, amount] = decoded.args
  return [{ txId, from: ofViem(from), to: ofViem(to), contract, amount }]
}

/** Null for other calls. */
function decoded20(data: Hex) {
  try {
    return decodeFunctionData({ abi: erc20Abi, data })
  } catch {
    return null
  }
}

interface RecordedCall {
  txId: string
  tronTokenEvm: string
  fromTron: string
  toTron: string
  amount: string
  success: boolean
}

/** Token calls as decoded by those who recorded them. @param name of a file of such calls */
export const transfersAsRecorded = (name: string): CountedTransfer[] =>
  readRecording<{ trc20Txs: RecordedCall[] }>(`tron/${name}`)
    .trc20Txs.filter(({ success, amount }) => success && amount !== '0')
    .map(({ txId, tronTokenEvm, fromTron, toTron, amount }) => ({
      txId: txId.slice(2),
      from: fromTron.slice(2),
      to: toTron.slice(2),
      contract: ofViem(tronTokenEvm),
      amount: BigInt(amount),
    }))

/** Transfers as lines, to compare lists as multisets. */
export const linesOf = (transfers: readonly CountedTransfer[]): string[] =>
  transfers
    .map(({ txId, from, to, contract, amount }) => [txId, from, to, contract ?? 'native', amount].join(' '))
    .sort()
