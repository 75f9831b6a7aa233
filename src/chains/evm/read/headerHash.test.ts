import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Hex, toHex } from 'viem'
import { howMany } from '../../../../test/support/full.ts'
import { optimismHeader } from '../../../../test/support/opSamples.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import {
  forkFields,
  headerFields,
  type SlowHeader,
  slowHeaderHash,
} from '../../../../test/support/slowHeader.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { proofOf } from './headerHash.ts'

const proof = (header: object) => proofOf(header as RpcHeader)

const lengths: Partial<Record<keyof SlowHeader, number>> = { miner: 20, logsBloom: 256, nonce: 8 }
const numbers = [
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
]
const hexFor = (name: keyof SlowHeader): fc.Arbitrary<Hex> => {
  if (numbers.includes(name)) return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => toHex(value))
  const [minLength, maxLength] = name === 'extraData' ? [0, 1000] : [lengths[name] ?? 32, lengths[name] ?? 32]
  return fc.uint8Array({ minLength, maxLength }).map((bytes) => toHex(bytes))
}
const fieldsOf = <Name extends keyof SlowHeader>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, hexFor(name)])) as Record<Name, fc.Arbitrary<Hex>>

/** Headers of any fork, also of chains that skipped a field but have a later one. */
const headers: fc.Arbitrary<SlowHeader & { hash: Hex }> = fc
  .tuple(fc.record(fieldsOf(headerFields)), fc.record(fieldsOf(forkFields), { requiredKeys: [] }))
  .map(([first, forks]) => ({ ...first, ...forks, hash: slowHeaderHash({ ...first, ...forks }) }))

const otherThan = (text: Hex): Hex => `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}` as Hex

describe('the hash of a header', () => {
  test.each([
    'ethereum/18000000',
    'ethereum/15753009',
    'polygon/50000000',
    'polygon/38102393',
    'arbitrum/150000000',
  ])('matches in %s', (name) => {
    expect(proof(recordedBlock(name).block)).toBe('match')
  })

  test('matches in a header of OP Mainnet with the fields of all forks', () => {
    expect(proof(optimismHeader)).toBe('match')
    expect(proof({ ...optimismHeader, requestsHash: undefined })).toBe('mismatch')
  })

  test('matches that of a second implementation, in all forks', () => {
    fc.assert(
      fc.property(headers, (header) => {
        expect(proof(header)).toBe('match')
      }),
      { numRuns: howMany(200, 5000) },
    )
  })

  test('differs when any field is changed', () => {
    fc.assert(
      fc.property(headers, fc.nat(), (header, at) => {
        const names = [...headerFields, ...forkFields].filter(
          (name) => header[name] !== undefined && header[name] !== '0x',
        )
        const name = names[at % names.length] as keyof SlowHeader
        expect([name, proof({ ...header, [name]: otherThan(header[name] as Hex) })]).toEqual([
          name,
          'mismatch',
        ])
      }),
      { numRuns: howMany(500, 20_000) },
    )
  })

  test('differs when a field of a fork is missing or added, or a field is not hex', () => {
    fc.assert(
      fc.property(
        headers,
        fc.constantFrom('withdrawalsRoot', 'parentBeaconBlockRoot', 'requestsHash'),
        (header, name) => {
          const { [name]: value, ...without } = header
          expect(proof(value === undefined ? { ...header, [name]: '0x01' } : without)).toBe('mismatch')
          expect(proof({ ...header, miner: `${header.miner.slice(0, -2)}zz` })).toBe('mismatch')
        },
      ),
    )
  })

  test('is `unknown` only where it differs and the header has an unknown field or lacks one', () => {
    fc.assert(
      fc.property(headers, fc.constantFrom(...headerFields), (header, name) => {
        const future = { ...header, blockAccessListHash: `0x${'12'.repeat(32)}` }
        expect(proof(future)).toBe('match')
        expect(proof({ ...future, receiptsRoot: `0x${'34'.repeat(32)}` })).toBe('unknown')
        expect(proof({ ...header, [name]: undefined })).toBe('unknown')
      }),
    )
  })

  test('is not `unknown` because of unhashed fields that nodes add to the header', () => {
    const { block } = recordedBlock('arbitrum/150000000')
    const unhashed = {
      size: '0x1',
      totalDifficulty: '0x1',
      transactions: [],
      uncles: [],
      withdrawals: [],
      author: '0x',
      milliTimestamp: '0x1',
    }
    expect(proof({ ...block, ...unhashed })).toBe('match')
    expect(proof({ ...block, ...unhashed, gasUsed: '0x0' })).toBe('mismatch')
  })
})
