import { channel } from 'node:diagnostics_channel'
import { expect, test } from '@jest/globals'
import { labelOf, startRecording } from './recording.ts'

test('published durations are summed by name while it records', () => {
  const [wait, start, clone, stack] = ['test.wait', 'test.start', 'test.clone', 'test.stack'].map((name) =>
    channel(name),
  )
  wait?.publish({ name: 'before', ms: 1 })
  const stop = startRecording('test')
  wait?.publish({ name: 'block 12', ms: 20 })
  wait?.publish({ name: 'block 13', ms: 30 })
  start?.publish({ name: 'api', ms: 700 })
  clone?.publish({ ms: 40 })
  clone?.publish({ ms: 50 })
  stack?.publish({ ms: 3000 })
  const times = stop()
  wait?.publish({ name: 'after', ms: 1 })
  expect(times).toMatchObject({
    waits: { 'block #': { count: 2, ms: 50 } },
    starts: { api: { count: 1, ms: 700 } },
    clones: { count: 2, ms: 90 },
    stacks: { count: 1, ms: 3000 },
  })
  expect(Object.keys(times.waits)).toHaveLength(1)
})

test.each([
  ['indexer of ethereum at 512', 'indexer of ethereum at #'],
  ['0xabc123 is mined', '# is mined'],
  ['session 01a1fa85-0000-7000-8000-0123456789ab paid', 'session # paid'],
  ['session paid/none', 'session paid/none'],
])('the label of "%s" is "%s"', (text, label) => {
  expect(labelOf(text)).toBe(label)
})
