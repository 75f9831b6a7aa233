import { expect, test } from '@jest/globals'
import { giveBack } from './giveBack.ts'

test('bytes that are a whole buffer are given back', () => {
  const bytes = Buffer.allocUnsafeSlow(2 ** 16)
  giveBack(bytes)
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0])
})

test('bytes of a buffer that others use are left', () => {
  const whole = Buffer.alloc(2 ** 16, 7)
  giveBack(whole.subarray(1))
  giveBack(whole.subarray(0, -1))
  giveBack(Buffer.from('short'))
  expect(whole.equals(Buffer.alloc(2 ** 16, 7))).toBe(true)
  expect(Buffer.from('short').toString()).toBe('short')
})
