import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type RecordedSolana, startRecordedSolana } from '../../../test/support/recordedSolana.ts'
import type { Block } from '../chain.ts'
import { type JsonRpc, openJsonRpc } from '../providers/jsonRpc.ts'
import { createProviders } from '../providers/providers.ts'
import { solanaBlockReader } from './blockReader.ts'

describe.each(['block-254170887.json', 'block_new_token_account.json', 'block_with_versioned_tx.json'])('the light block of %s', (file) => {
  let node: RecordedSolana
  let fallbacks: string[]
  beforeEach(async () => {
    node = await startRecordedSolana(file)
    fallbacks = []
  })
  afterEach(() => node.close())

  async function read(change: (rpc: JsonRpc) => JsonRpc): Promise<Block | undefined> {
    const providers = createProviders([(gate) => change(openJsonRpc(node.url, 10_000, gate, 'a'))], {
      observe: { called: () => {}, refused: () => {} },
    })
    try {
      const reader = solanaBlockReader({ providers, withoutLight: new Set(), notUnderstood: (provider) => void fallbacks.push(provider) })
      return (await reader.blocks(node.slot, node.slot))[0]
    } finally {
      await providers.close()
    }
  }
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
    node.tamper = (_method, result) => ({ ...(result as object), note: 'é' })
    node.calls.clear()
    expect(await byBytes()).toEqual(plain)
    expect(node.calls.get('getBlock')).toBe(1)
    expect(fallbacks).toEqual(['a'])
  })
})
