import { expect, test } from '@jest/globals'
import { bridgeChains, delayLabels, durationText } from './bridgeLabels.ts'

test('a usual time is in seconds below a minute, and in minutes above', () => {
  expect([8, 60, 1020].map(durationText)).toEqual(['About 8 seconds', 'About a minute', 'About 17 minutes'])
})

test('a delay that is newer than the page is shown as it is', () => {
  expect(delayLabels('awaiting_approval')).toBe('A second owner has to approve it')
  expect(delayLabels('something_new')).toBe('something_new')
})

test('networks without a bridge are not offered', () => {
  expect(bridgeChains.map(({ value }) => value)).not.toEqual(expect.arrayContaining(['bsc']))
  expect(bridgeChains.map(({ value }) => value)).toContain('base')
})
