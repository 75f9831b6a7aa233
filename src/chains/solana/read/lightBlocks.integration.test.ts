import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type RecordedSolana, startRecordedSolana } from '../../../../test/support/recordedSolana.ts'
import { type Block, type BlockReader, ProviderError } from '../../chain.ts'
import { type JsonRpc, openJsonRpc } from '../../providers/jsonRpc.ts'
import { createProviders } from '../../providers/providers.ts'
import { solanaBlockReader } from './blockReader.ts'

/** Deeper than the reader of bytes goes. */
const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)])

describe.each(['block-254170887.json', 'block_new_token_account.json', 'block_with_versioned_tx.json'])(
  'the light block of %s',
  (file) => {
    let node: RecordedSolana
    let fallbacks: string[]
    beforeEach(async () => {
      node = await startRecordedSolana(file)
      fallbacks = []
    })
    afterEach(() => node.close())

    async function read(
      change: (rpc: JsonRpc) => JsonRpc,
      of: (reader: BlockReader) => Promise<Block | null | undefined> = light,
    ): Promise<Block | undefined> {
      const providers = createProviders([(gate) => change(openJsonRpc(node.url, 10_000, gate, 'a'))], {
        observe: { called: () => {}, refused: () => {} },
      })
      try {
        const reader = solanaBlockReader({
          providers,
          withoutLight: new Set(),
          notUnderstood: (provider) => void fallbacks.push(provider),
        })
        return (await of(reader)) ?? undefined
      } finally {
        await providers.close()
      }
    }
    const light = async (reader: BlockReader) => (await reader.blocks(node.slot, node.slot))[0]
    const byBytes = () => read((rpc) => rpc)
    const byParsing = () => read(({ read: _, ...rpc }) => rpc)

    test('is the same by its bytes as by JSON.parse', async () => {
      const block = await byBytes()
      expect(block?.packed).toBeDefined()
      expect({ ...block, packed: undefined }).toEqual(await byParsing())
      expect(block?.unread?.length).toBeGreaterThan(0)
      expect(fallbacks).toEqual([])
    })

    test('is read by JSON.parse where its bytes are not plain, from the same answer, and counted', async () => {
      const plain = await byParsing()
      node.tamper = (_method, result) => ({ ...(result as object), note: deep(40) })
      node.calls.clear()
      expect(await byBytes()).toEqual(plain)
      expect(node.calls.get('getBlock')).toBe(1)
      expect(fallbacks).toEqual(['a'])
    })

    const atHead = (reader: BlockReader) => reader.atHead?.(node.slot) ?? Promise.resolve(null)
    const whole = () =>
      read(
        (rpc) => rpc,
        (reader) => reader.block(node.slot),
      )

    test('at the head has what was touched, and becomes the whole one from the same answer', async () => {
      const expected = await whole()
      node.calls.clear()
      const block = await read((rpc) => rpc, atHead)
      expect(block?.packed).toBeDefined()
      expect(block?.unread).toEqual(
        expect.arrayContaining([
          ...new Set(
            expected?.transfers.flatMap(({ to, from, only }) => [
              ...(only === 'out' ? [] : [to]),
              ...(only === 'in' ? [] : [from]),
            ]),
          ),
        ]),
      )
      expect(block?.transfers).toEqual([])
      expect(block?.whole?.()).toEqual(expected)
      expect(expected?.transfers.length).toBeGreaterThan(0)
      expect(node.calls.get('getBlock')).toBe(1)
      expect(fallbacks).toEqual([])
    })

    test('at the head is the whole one where its bytes are not plain, and counted, or where all is parsed', async () => {
      const expected = await whole()
      expect(await read(({ read: _, ...rpc }) => rpc, atHead)).toEqual(expected)
      expect(fallbacks).toEqual([])
      node.tamper = (_method, result) => ({ ...(result as object), note: deep(40) })
      expect(await read((rpc) => rpc, atHead)).toEqual(expected)
      expect(fallbacks).toEqual(['a'])
    })

    test('at the head that cannot be read whole is an error only if it is read whole', async () => {
      node.tamper = (_method, result) => {
        const { transactions } = result as { transactions: { meta: { err: unknown } }[] }
        return {
          ...(result as object),
          transactions: [...transactions, ...transactions.filter(({ meta }) => meta.err === null)],
        }
      }
      const block = await read((rpc) => rpc, atHead)
      expect(block?.unread?.length).toBeGreaterThan(0)
      expect(() => block?.whole?.()).toThrow(ProviderError)
    })
  },
)
