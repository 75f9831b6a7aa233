import { describe, expect, test } from '@jest/globals'
import { utils } from 'tronweb'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { countMovements, linesOf, movementsAsRecorded, type RawTransaction, rawTransactions } from './tron/countTron.ts'

// The count that the reader of Tron is measured by is itself measured here: by what another library reads in the signed bytes, and by
// transactions that are made up to hold each case once.

describe('a recorded block', () => {
  test('was signed with the amounts and addresses that its JSON tells', () => {
    const kinds = ['TransferContract', 'TriggerSmartContract']
    const transactions = rawTransactions('block-79072107.json').filter(({ raw_data }) => kinds.includes(raw_data.contract[0]?.type ?? ''))
    expect(transactions.length).toBeGreaterThan(0)
    for (const transaction of transactions) {
      const type = transaction.raw_data.contract[0]?.type ?? ''
      const signed = utils.deserializeTx.deserializeTransaction(type, transaction.raw_data_hex) as RawTransaction['raw_data']
      const lines = linesOf(countMovements({ ...transaction, raw_data: signed })).map((line) => line.toLowerCase())
      expect(lines).toEqual(linesOf(countMovements(transaction)))
    }
  })

  test('tells each movement once', () => {
    const lines = linesOf(rawTransactions('block-79072107.json').flatMap(countMovements))
    expect(new Set(lines).size).toBe(lines.length)
    expect(movementsAsRecorded('trc20_block_78115149.json').length).toBeGreaterThan(0)
  })
})

const address = (digit: string) => `41${digit.repeat(40)}`
const [alice, bob, carol, token] = [address('a'), address('b'), address('c'), address('7')] as const
const ofViem = (tron: string): Address => `0x${tron.slice(2)}`

type Value = RawTransaction['raw_data']['contract'][number]['parameter']['value']

const made = (type: string, value: Omit<Value, 'owner_address'>, contractRet = 'SUCCESS'): RawTransaction => ({
  txID: 'made',
  ret: [{ contractRet }],
  raw_data_hex: '',
  raw_data: { contract: [{ type, parameter: { value: { owner_address: alice, ...value } } }] },
})

const moved = (from: string, to: string, contract: string | null, amount: bigint) => ({ txId: 'made', from, to, contract, amount })
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ofViem(bob), 7n] }).slice(2)

describe('of TRX', () => {
  test('a transfer counts, and what a call carries; TRC-10 does not', () => {
    expect(countMovements(made('TransferContract', { to_address: bob, amount: 5 }))).toEqual([moved(alice, bob, null, 5n)])
    expect(countMovements(made('TriggerSmartContract', { contract_address: token, call_value: 5 }))).toEqual([moved(alice, token, null, 5n)])
    expect(countMovements(made('TransferAssetContract', { to_address: bob, amount: 5 }))).toEqual([])
  })

  test('nothing counts that is nothing, or did not succeed', () => {
    expect(countMovements(made('TransferContract', { to_address: bob, amount: 0 }))).toEqual([])
    expect(countMovements(made('TransferContract', { to_address: bob, amount: 5 }, 'OUT_OF_ENERGY'))).toEqual([])
    expect(countMovements(made('TriggerSmartContract', { contract_address: token, data: transfer }, 'REVERT'))).toEqual([])
  })
})

describe('of tokens', () => {
  const count = (data: string) => countMovements(made('TriggerSmartContract', { contract_address: token, data }))

  test('a call of transfer or transferFrom counts, with the prefix in its words or without', () => {
    expect(count(transfer)).toEqual([moved(alice, bob, token, 7n)])
    expect(count(transfer.replace('00'.repeat(12), `${'00'.repeat(11)}41`))).toEqual([moved(alice, bob, token, 7n)])
    const from = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ofViem(carol), ofViem(bob), 7n] })
    expect(count(from.slice(2))).toEqual([moved(carol, bob, token, 7n)])
  })

  test('any other call does not', () => {
    expect(count(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ofViem(bob), 7n] }).slice(2))).toEqual([])
    expect(count(transfer.slice(0, -2))).toEqual([])
    expect(count('')).toEqual([])
  })
})
