import { describe, expect, test } from '@jest/globals'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { addToBloom, bloomOf } from './bloom.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
const bits = (bloom: Uint8Array) =>
  [...bloom].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

describe('recorded blocks', () => {
  test.each([
    ['ethereum/18000000', 291],
    ['ethereum/15753009', 400],
    ['polygon/50000000', 877],
    ['polygon/38102393', 555],
  ])('%s: the bloom of the logs matches that of the block and of each receipt (%i logs)', (name, count) => {
    const { block, receipts } = recordedBlock(name)
    const logs = receipts.flatMap((receipt) => receipt.logs)
    expect(logs).toHaveLength(count)
    expect(bloomOf(logs)).toEqual(bytes(block.logsBloom))
    for (const receipt of receipts) expect(bloomOf(receipt.logs)).toEqual(bytes(receipt.logsBloom))
  })
})

test('no logs give a bloom of 256 zero bytes', () => {
  expect(bloomOf([])).toEqual(new Uint8Array(256))
})

test('an item sets at most three bits, always the same, and clears no bit', () => {
  const bloom = new Uint8Array(256)
  addToBloom(bloom, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  expect(bits(bloom)).toBe(3)
  const once = Uint8Array.from(bloom)
  addToBloom(bloom, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  expect(bloom).toEqual(once)
  addToBloom(bloom, '0xdac17f958d2ee523a2206206994597c13d831ec7')
  expect(once.every((byte, i) => ((bloom[i] as number) & byte) === byte)).toBe(true)
})
