import { describe, expect, test } from '@jest/globals'
import { utils } from 'tronweb'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import {
  countTransfers,
  linesOf,
  type RawTransaction,
  rawTransactions,
  transfersAsRecorded,
} from './tron/countTron.ts'

// Checks the count that Tron's reader is compared with: against another library's decoding of the signed
// bytes, and by made-up transactions with one case each.

describe('a recorded block', () => {
  test('has the same amounts and addresses in its signed bytes and in its JSON', () => {
    const kinds = ['TransferContract', 'TriggerSmartContract']
    const transactions = rawTransactions('block-79072107.json').filter(({ raw_data }) =>
      kinds.includes(raw_data.contract[0]?.type ?? ''),
    )
    expect(transactions.length).toBeGreaterThan(0)
    for (const transaction of transactions) {
      const type = transaction.raw_data.contract[0]?.type ?? ''
      const signed = utils.deserializeTx.deserializeTransaction(
        type,
        transaction.raw_data_hex,
      ) as RawTransaction['raw_data']
      const lines = linesOf(countTransfers({ ...transaction, raw_data: signed })).map((line) =>
        line.toLowerCase(),
      )
      expect(lines).toEqual(linesOf(countTransfers(transaction)))
    }
  })

  test('has each transfer once', () => {
    const lines = linesOf(rawTransactions('block-79072107.json').flatMap(countTransfers))
    expect(new Set(lines).size).toBe(lines.length)
    expect(transfersAsRecorded('trc20_block_78115149.json').length).toBeGreaterThan(0)
  })
})

const address = (digit: string) => `41${digit.repeat(40)}`
const [alice, bob, carol, token] = [address('a'), address('b'), address('c'), address('7')] as const
const ofViem = (tron: string): Address => `0x${tron.slice(2)}`

type Value = RawTransaction['raw_data']['contract'][number]['parameter']['value']

const made = (
  type: string,
  value: Omit<Value, 'owner_address'>,
  contractRet = 'SUCCESS',
): RawTransaction => ({
  txID: 'made',
  ret: [{ contractRet }],
  raw_data_hex: '',
  raw_data: { contract: [{ type, parameter: { value: { owner_address: alice, ...value } } }] },
})

const moved = (from: string, to: string, contract: string | null, amount: bigint) => ({
  txId: 'made',
  from,
  to,
  contract,
  amount,
})
const transfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [ofViem(bob), 7n],
}).slice(2)

describe('TRX', () => {
  test('a transfer and the value of a call count; TRC-10 does not', () => {
    expect(countTransfers(made('TransferContract', { to_address: bob, amount: 5 }))).toEqual([
      moved(alice, bob, null, 5n),
    ])
    expect(countTransfers(made('TriggerSmartContract', { contract_address: token, call_value: 5 }))).toEqual([
      moved(alice, token, null, 5n),
    ])
    expect(countTransfers(made('TransferAssetContract', { to_address: bob, amount: 5 }))).toEqual([])
  })

  test('zero amounts and failed transactions do not count', () => {
    expect(countTransfers(made('TransferContract', { to_address: bob, amount: 0 }))).toEqual([])
    expect(countTransfers(made('TransferContract', { to_address: bob, amount: 5 }, 'OUT_OF_ENERGY'))).toEqual(
      [],
    )
    expect(
      countTransfers(made('TriggerSmartContract', { contract_address: token, data: transfer }, 'REVERT')),
    ).toEqual([])
  })
})

describe('tokens', () => {
  const count = (data: string) =>
    countTransfers(made('TriggerSmartContract', { contract_address: token, data }))

  test('a call of transfer or transferFrom counts, with or without the prefix in its arguments', () => {
    expect(count(transfer)).toEqual([moved(alice, bob, token, 7n)])
    expect(count(transfer.replace('00'.repeat(12), `${'00'.repeat(11)}41`))).toEqual([
      moved(alice, bob, token, 7n),
    ])
    const from = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [ofViem(carol), ofViem(bob), 7n],
    })
    expect(count(from.slice(2))).toEqual([moved(carol, bob, token, 7n)])
  })

  test('any other call does not', () => {
    expect(
      count(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ofViem(bob), 7n] }).slice(2)),
    ).toEqual([])
    expect(count(transfer.slice(0, -2))).toEqual([])
    expect(count('')).toEqual([])
  })
})
