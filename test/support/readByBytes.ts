import type { JsonRpc } from '../../src/chains/providers/jsonRpc.ts'

/** An endpoint in memory whose answers are also read from bytes, as those of a node are. */
export const readByBytes = (rpc: JsonRpc): JsonRpc => ({
  ...rpc,
  read: async (method, params, scan) => {
    const id = 7
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: (await rpc.call(method, params)) ?? null })
    const scanned = await scan([Buffer.from(text)], id)
    return scanned === null ? { result: JSON.parse(text).result } : { scanned }
  },
})
