import { expect, test } from '@jest/globals'
import { agreedLogs } from './bridgeMints.ts'

const log = { address: '0xa', topics: ['0x1'], data: '0x', transactionHash: '0xb' }
const says = (source: string, ...logs: (typeof log)[]) => ({ source, logs })

test('events of a mint count as two providers report them', () => {
  expect(agreedLogs([says('one', log), says('two', log)], null)).toEqual([log])
  expect(agreedLogs([says('one', log), says('two', log), says('three')], null)).toEqual([log])
})
test('one provider suffices only where all others are silent', () => {
  expect(agreedLogs([says('one', log)], null)).toBeNull()
  expect(agreedLogs([says('one', log)], 'one')).toEqual([log])
})
test('nothing counts while as many report another event', () => {
  const other = { ...log, data: '0x01' }
  expect(agreedLogs([says('one', log), says('two', other)], null)).toBeNull()
  expect(agreedLogs([says('one', log), says('two', log), says('three', other), says('four', other)], null)).toBeNull()
})
