import { expect, test } from '@jest/globals'
import { recordedBlock } from '../../../test/support/recordedBlocks.ts'
import { headerHash } from './read/headerHash.ts'
import { receiptsRoot } from './read/receiptsRoot.ts'
import { transactionsRoot } from './read/transactionsRoot.ts'

const { block, receipts } = recordedBlock('ethereum/18000000')
const [receipt] = receipts
const inField = (name: string) => (long: object) =>
  transactionsRoot([{ hash: '0x', type: 4, fields: { [name]: long } }])

/** Each reserves more than the ones before it: the buffers are kept. */
test.each<[string, number, (long: object) => unknown]>([
  ['the extra data of a header', 1e8, (extraData) => headerHash({ ...block, extraData })],
  [
    'the data of a log',
    1e8,
    (data) =>
      receiptsRoot([{ ...receipt, logs: [{ address: '0x', topics: [], data: data as never }] } as never]),
  ],
  ['the input of a transaction', 2e8, inField('input')],
  ['hashes of blobs', 1e6, inField('blobVersionedHashes')],
  ['an authorization list', 2e6, inField('authorizationList')],
])('no memory is reserved for an object with a length in place of %s', (_what, length, encode) => {
  const before = process.memoryUsage().arrayBuffers
  try {
    encode({ length })
  } catch {
    // Encoding refuses the object.
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26)
})
