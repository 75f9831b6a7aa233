import { expect, test } from '@jest/globals'
import { muxed } from '../chains/stellar/address.ts'
import { settlementMemo } from './settlementMemo.ts'

const account = 'GA26H3MWSOUHFP7C44MPZG36CZORNMRF5UV2NYI5ELAODMK3E5TEMCLF'
const on = (more: Partial<Parameters<typeof settlementMemo>[0]>) =>
  settlementMemo({ chain: 'stellar', to: account, memo: null, memoType: null, ...more })

test('a memo is its text or its id; a hash is no memo', () => {
  expect(on({ memo: 'shop 7', memoType: 'text' })).toBe('shop 7')
  expect(on({ memo: '007', memoType: 'text' })).toBe('007')
  expect(on({ memo: '0', memoType: 'id' })).toBe('0')
  expect(on({})).toBeNull()
  for (const memoType of ['hash', 'return'] as const) expect(on({ memo: 'shop 7', memoType })).toBeNull()
})

test('the id of a muxed address counts before a memo', () => {
  expect(on({ to: muxed(account, 77n) })).toBe('77')
  expect(on({ to: muxed(account, 77n), memo: '78', memoType: 'id' })).toBe('77')
  expect(on({ to: muxed(account, 77n), memo: '77', memoType: 'text' })).toBe('77')
})

test('other chains have no memo that counts', () => {
  expect(settlementMemo({ chain: 'base', to: '0x00', memo: null, memoType: null })).toBeNull()
  expect(settlementMemo({ chain: 'solana', to: 'a', memo: 'thanks', memoType: 'text' })).toBeNull()
})
