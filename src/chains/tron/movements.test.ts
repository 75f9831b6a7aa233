import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  account,
  type MadeTron,
  madeCall,
  madeTransfer,
  rawOf,
  transferLog,
  transferTopic,
  word,
} from '../../../test/support/madeTron.ts'
import { ProviderError, type Transfer } from '../chain.ts'
import { transactionId } from './blockProof.ts'
import { contractOf, intended, transfersOf } from './movements.ts'

const [alice, bob, carol, token] = [account(1), account(2), account(3), account(0x77)]
const read = ({ transaction, info }: MadeTron, options = {}) => transfersOf(transaction, info, options)
const brief = (transfers: readonly Transfer[]) =>
  transfers.map(({ movementKey, contract, from, to, amount }) => [movementKey, contract, from, to, amount])
const sun = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `41${Buffer.from(bytes).toString('hex')}`)
const calls = { transfer: 'a9059cbb', transferFrom: '23b872dd' }

describe('the bytes of a transaction', () => {
  test('made by tronweb are parsed to their input, and have its id', () => {
    fc.assert(
      fc.property(addresses, addresses, sun, fc.uint8Array({ maxLength: 200 }), (owner, to, amount, data) => {
        const transfer = rawOf('TransferContract', { owner_address: owner, to_address: to, amount })
        expect(contractOf(transfer)).toEqual({ kind: 'transfer', owner, to, amount: BigInt(amount) })
        expect(transactionId(transfer)).toBe(transfer.txID)
        const hex = Buffer.from(data).toString('hex')
        const call = contractOf(
          rawOf('TriggerSmartContract', {
            owner_address: owner,
            contract_address: to,
            data: hex,
            call_value: amount,
          }),
        )
        expect(call).toMatchObject({ kind: 'trigger', owner, to, amount: BigInt(amount) })
        expect(call.kind === 'trigger' && Buffer.from(call.data).toString('hex')).toBe(hex)
      }),
    )
  })

  test('of any other contract type are `other`: TRC-10 is not the native coin', () => {
    const trc10 = rawOf('TransferAssetContract', {
      asset_name: '31303030303031',
      owner_address: alice,
      to_address: bob,
      amount: 5,
    })
    expect(contractOf(trc10)).toEqual({ kind: 'other' })
    expect(transfersOf({ ...trc10, ret: [{ contractRet: 'SUCCESS' }] }, { id: trc10.txID })).toEqual([])
  })

  test.each(['', '0a', 'ff', '120774657374696e67'])('"%s" are not a transaction', (raw_data_hex) => {
    expect(() => contractOf({ raw_data_hex })).toThrow(ProviderError)
  })
})

describe('a transfer of TRX', () => {
  test('is one transfer, in sun, by the signed bytes', () => {
    expect(brief(read(madeTransfer(alice, bob, 7_000_000)))).toEqual([
      ['native', null, alice, bob, 7_000_000n],
    ])
  })

  test.each([
    ['its own result differs', madeTransfer(alice, bob, 5, 'REVERT')],
    [
      'a part of its result differs',
      {
        ...madeTransfer(alice, bob, 5),
        transaction: { ...madeTransfer(alice, bob, 5).transaction, ret: [{}, { contractRet: 'REVERT' }] },
      },
    ],
    ['the outcome is failed', { ...madeTransfer(alice, bob, 5), info: { id: 'a', result: 'FAILED' } }],
    [
      'the receipt differs',
      { ...madeTransfer(alice, bob, 5), info: { id: 'a', receipt: { result: 'OUT_OF_TIME' } } },
    ],
  ])('moved nothing if %s', (_what, made) => {
    expect(read(made)).toEqual([])
    expect(brief(intended(made.transaction))).toEqual([['native', null, alice, bob, 5n]])
  })
})

describe('a contract call', () => {
  const moved = { log: [transferLog(token, carol, bob, 9n)] }

  test('moves tokens by its logs and carries TRX', () => {
    expect(brief(read(madeCall({ from: alice, contract: token, value: 3, more: moved })))).toEqual([
      ['native', null, alice, token, 3n],
      ['log:0', token, carol, bob, 9n],
    ])
  })

  test.each(['REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME', 'ILLEGAL_OPERATION', 'UNKNOWN'])(
    'with the result %s moved nothing, although it logged a transfer',
    (result) => {
      expect(read(madeCall({ from: alice, contract: token, value: 3, result, more: moved }))).toEqual([])
    },
  )

  test('moved nothing unless result, receipt and outcome all are success', () => {
    const { transaction, info } = madeCall({ from: alice, contract: token, more: moved })
    expect(transfersOf({ ...transaction, ret: [{ contractRet: 'REVERT' }] }, info)).toEqual([])
    expect(transfersOf(transaction, { ...info, receipt: { result: 'REVERT' } })).toEqual([])
    expect(transfersOf(transaction, { ...info, receipt: {} })).toEqual([])
    expect(transfersOf(transaction, { ...info, result: 'FAILED' })).toEqual([])
  })

  test('without any result is not decided: another node may know it', () => {
    const { transaction, info } = madeCall({ from: alice, contract: token, more: moved })
    expect(() => transfersOf({ ...transaction, ret: [{}] }, { ...info, receipt: {} })).toThrow(
      'has no result',
    )
    expect(transfersOf({ ...transaction, ret: [{}] }, info)).toHaveLength(1)
  })

  test('without a transfer log moves no token, although its data has one', () => {
    const data = calls.transfer + word(bob) + word(5n)
    expect(read(madeCall({ from: alice, contract: token, data }))).toEqual([])
  })

  test.each([
    [
      'another event',
      { ...transferLog(token, alice, bob, 1n), topics: ['ab'.repeat(32), word(alice), word(bob)] },
    ],
    [
      "an NFT's transfer",
      {
        ...transferLog(token, alice, bob, 1n),
        topics: [transferTopic, word(alice), word(bob), word(1n)],
        data: '',
      },
    ],
    [
      'addresses that are not indexed',
      {
        ...transferLog(token, alice, bob, 1n),
        topics: [transferTopic],
        data: word(alice) + word(bob) + word(1n),
      },
    ],
    ['no amount', { ...transferLog(token, alice, bob, 1n), data: '' }],
    ['two words of data', { ...transferLog(token, alice, bob, 1n), data: word(1n) + word(2n) }],
    ['no topics', { address: token.slice(2) }],
  ])('with a log of %s moves no token', (_what, log) => {
    expect(read(madeCall({ from: alice, contract: token, more: { log: [log] } }))).toEqual([])
  })

  test('of the largest amount is exact; of zero is dropped, unless `keepEmpty` is set', () => {
    const more = {
      log: [transferLog(token, alice, bob, 2n ** 256n - 1n), transferLog(token, alice, carol, 0n)],
    }
    const made = madeCall({ from: alice, contract: token, more })
    expect(brief(read(made))).toEqual([['log:0', token, alice, bob, 2n ** 256n - 1n]])
    expect(read(made, { keepEmpty: true }).map(({ movementKey }) => movementKey)).toEqual([
      'native',
      'log:0',
      'log:1',
    ])
  })
})

describe('TRX that a contract sent', () => {
  const internal = (...callValueInfo: { callValue?: number; tokenId?: string }[]) => ({
    caller_address: token,
    transferTo_address: bob,
    callValueInfo,
  })

  test('is a transfer, keyed by its content', () => {
    const more = { internal_transactions: [internal({}), internal({ callValue: 5 })] }
    expect(brief(read(madeCall({ from: alice, contract: token, more })))).toEqual([
      [`trace:${token}:${bob}:5:0`, null, token, bob, 5n],
    ])
  })

  test('is ignored if the call was undone, or if it is TRC-10', () => {
    const undone = { ...internal({ callValue: 5 }), rejected: true }
    const more = {
      internal_transactions: [undone, internal({ callValue: 5, tokenId: '1000001' }), internal()],
    }
    expect(read(madeCall({ from: alice, contract: token, more }))).toEqual([])
  })
})

describe('the intended transfers of a transaction', () => {
  const meant = (data: string, value = 0) =>
    brief(intended(madeCall({ from: alice, contract: token, data, value, result: 'REVERT' }).transaction))

  test('come from its calls: transfer and transferFrom, with TRX', () => {
    expect(meant(calls.transfer + word(bob) + word(5n))).toEqual([['call', token, alice, bob, 5n]])
    expect(meant(calls.transferFrom + word(carol) + word(bob) + word(5n))).toEqual([
      ['call', token, carol, bob, 5n],
    ])
    expect(meant(calls.transfer + word(bob) + word(5n), 3)).toEqual([
      ['native', null, alice, token, 3n],
      ['call', token, alice, bob, 5n],
    ])
  })

  test.each([
    '',
    'a9059c',
    '12345678',
    calls.transfer + word(bob),
    calls.transferFrom + word(carol) + word(bob),
  ])('are empty with the data "%s"', (data) => {
    expect(meant(data)).toEqual([])
  })
})
