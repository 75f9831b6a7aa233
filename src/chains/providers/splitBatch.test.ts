import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { splitBatch } from './splitBatch.ts'

const partsOf = (text: string, count: number) => {
  const parts = splitBatch(Buffer.from(text), count)
  return parts && [...parts].map(([id, part]) => [id, part.toString()])
}
const answer = (id: number, result: unknown = '0x') =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`

describe('the answer to a batch is split', () => {
  test.each<[string, string[]]>([
    ['with the id after the version', [answer(7), answer(8)]],
    ['with the id first', ['{"id":7,"jsonrpc":"2.0","result":[1]}', '{"id":8,"jsonrpc":"2.0","result":[2]}']],
    [
      'with the id last',
      ['{"jsonrpc":"2.0","result":{"a":[]},"id":7}', '{"jsonrpc":"2.0","result":{"a":[]},"id":8}'],
    ],
    [
      'with white space',
      ['{"jsonrpc": "2.0", "id": 7, "result": [ 1 ]}', '{"jsonrpc": "2.0", "id": 8, "result": [ 1 ]}'],
    ],
    ['in any order', [answer(8), answer(7)]],
    ['with errors', [answer(7), '{"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"not now"}}']],
  ])('%s', (_, texts) => {
    const ids = texts.map((text) => (JSON.parse(text) as { id: number }).id)
    expect(partsOf(`[${texts.join(',')}]`, 2)).toEqual(texts.map((text, index) => [ids[index], text]))
    expect(partsOf(` [\n${texts.join(',')} ]\r\n`, 2)).toEqual(texts.map((text, index) => [ids[index], text]))
  })
})

describe('the answer to a batch is not split', () => {
  test.each<[string, string]>([
    ['that is no list', answer(7)],
    ['that is an error', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'],
    ['that is empty', ''],
    ['that is an empty list', '[]'],
    ['with fewer answers', `[${answer(7)}]`],
    ['with more answers', `[${answer(7)},${answer(8)},${answer(9)}]`],
    ['with an id twice', `[${answer(7)},${answer(7)}]`],
    ['with an id that is text', `[${answer(7)},${answer(8).replace('8', '"8"')}]`],
    ['without an id', `[${answer(7)},{"jsonrpc":"2.0","result":1}]`],
    ['with white space between them', `[${answer(7)}, ${answer(8)}]`],
    ['that was cut', `[${answer(7)},${answer(8)}`],
    ['of numbers', '[1,2]'],
    ['that holds the start of an answer', `[${answer(7, { x: [1, { jsonrpc: '2.0' }] })},${answer(8)}]`],
  ])('%s', (_, text) => {
    expect(partsOf(text, 2)).toBeNull()
  })
})

test('every part is an answer of the list, or one is no JSON', () => {
  const texts = fc.array(
    fc.oneof(
      fc.nat(3).map((id) => answer(id)),
      fc.json().map((text) => `{"jsonrpc":"2.0","result":${text},"id":1}`),
      fc.constantFrom(',', '[', ']', '{"jsonrpc":', '"', '{"jsonrpc":"2.0","id":2,"result":"', '\\"}'),
    ),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(',', ''), (some, between) => {
      const text = `[${some.join(between)}]`
      for (let count = 1; count <= 4; count++) {
        const parts = splitBatch(Buffer.from(text), count)
        if (!parts) continue
        let parsed: unknown[]
        try {
          parsed = [...parts.values()].map((part) => JSON.parse(part.toString()) as unknown)
        } catch {
          continue
        }
        expect(JSON.parse(text)).toEqual(parsed)
      }
    }),
    { numRuns: 2000 },
  )
})
