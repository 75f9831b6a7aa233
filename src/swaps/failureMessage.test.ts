import { expect, test } from '@jest/globals'
import { failureMessage } from './failureMessage.ts'

const moved = 'the price moved by more than the slippage allows'

test.each([
  ['0x', 'custom error 0x97a6f3b9: …', `${moved} (custom error 0x97a6f3b9: …)`],
  ['jupiter', 'custom program error: 0x1771', `${moved} (custom program error: 0x1771)`],
  [
    'jupiter',
    'instruction 4: custom program error 0x1771',
    `${moved} (instruction 4: custom program error 0x1771)`,
  ],
  ['jupiter', 'custom program error: 0x17710', 'custom program error: 0x17710'],
  ['0x', 'custom program error: 0x1771', 'custom program error: 0x1771'],
  ['0x', 'out of gas', 'out of gas'],
  ['0x', null, null],
] as const)('a failed swap of %s is reported as %p', (provider, message, shown) => {
  expect(failureMessage(provider, message)).toBe(shown)
})
