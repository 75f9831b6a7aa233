import { decodeFunctionData, erc20Abi, type Hex } from 'viem'
import { readRecording } from '../readRecording.ts'

/** Addresses as nodes tell them: `41` and twenty bytes, in hex. */
export interface Movement {
  txId: string
  from: string
  to: string
  /** Null for TRX. */
  contract: string | null
  /** Base units; more than zero. */
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

/** As `getblockbynum` has it, what a node decodes in JSON included. */
export interface RawTransaction {
  txID: string
  ret: { contractRet?: string }[]
  raw_data_hex: string
  raw_data: { contract: { type: string; parameter: { value: ContractValue } }[] }
}

/** @param name of a file with a whole block */
export const rawTransactions = (name: string): RawTransaction[] => readRecording<{ transactions: RawTransaction[] }>(`tron/${name}`).transactions

/** What a transaction says that it moves, and says that it did: TRX by the JSON beside the bytes, tokens by the calls of TIP-20. TRC-10 is neither. */
export function countMovements({ txID, ret, raw_data }: RawTransaction): Movement[] {
  if (ret.some(({ contractRet }) => contractRet !== 'SUCCESS')) return []
  const movements = raw_data.contract.flatMap(({ type, parameter: { value } }): Movement[] => {
    const { owner_address: from, to_address = '', contract_address = '', amount = 0, call_value = 0, data = '' } = value
    if (type === 'TransferContract') return [{ txId: txID, from, to: to_address, contract: null, amount: BigInt(amount) }]
    if (type !== 'TriggerSmartContract') return []
    return [{ txId: txID, from, to: contract_address, contract: null, amount: BigInt(call_value) }, ...called(txID, from, contract_address, data)]
  })
  return movements.filter(({ amount }) => amount > 0n)
}

const ofViem = (address: string) => `41${address.slice(2).toLowerCase()}`

function called(txId: string, owner: string, contract: string, data: string): Movement[] {
  // viem does not look at what is before an address in its word, and Tron's wallets put their prefix there.
  const decoded = decoded20(`0x${data.toLowerCase()}`)
  if (decoded?.functionName === 'transfer') {
    const [to, amount] = decoded.args
    return [{ txId, from: owner, to: ofViem(to), contract, amount }]
  }
  if (decoded?.functionName !== 'transferFrom') return []
  const [from, to, amount] = decoded.args
  return [{ txId, from: ofViem(from), to: ofViem(to), contract, amount }]
}

/** Null for a call of something else. */
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

/** What those who recorded calls of tokens decoded in them. @param name of a file of such calls */
export const movementsAsRecorded = (name: string): Movement[] =>
  readRecording<{ trc20Txs: RecordedCall[] }>(`tron/${name}`)
    .trc20Txs.filter(({ success, amount }) => success && amount !== '0')
    .map(({ txId, tronTokenEvm, fromTron, toTron, amount }) => ({
      txId: txId.slice(2),
      from: fromTron.slice(2),
      to: toTron.slice(2),
      contract: ofViem(tronTokenEvm),
      amount: BigInt(amount),
    }))

/** All that a movement says, in one line, so that lists can be compared as multisets. */
export const linesOf = (movements: readonly Movement[]): string[] =>
  movements.map(({ txId, from, to, contract, amount }) => [txId, from, to, contract ?? 'native', amount].join(' ')).sort()
