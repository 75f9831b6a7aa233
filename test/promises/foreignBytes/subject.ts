import type { Block, BlockReader } from '../../../src/chains/chain.ts'
import type { Endpoint, Gate } from '../../../src/chains/providers/providers.ts'
import type { Random } from './mutate.ts'

/** Answers a request from recorded data. */
export type Answers = (method: string, params: unknown) => unknown

/** A family's reader, and small recorded answers for it. */
export interface Subject {
  name: string
  /** Opens the real reader on nodes in this process, one for each function. */
  open(nodes: readonly Answers[]): BlockReader
  truth: Answers
  /** Other bytes that pass the first checks. */
  variant?: (truth: Answers, random: Random) => Answers
  reads: readonly Read[]
}

export interface Read {
  name: string
  /** The height, which a refusal must name; null: the read is not about one block. */
  height: number | null
  /** The complete block, if that is read. */
  run(reader: BlockReader): Promise<Block | null | 'other'>
}

/** Reads by every method of the port. */
export function readsOf(height: number, txIds: readonly string[], { hasInternal = false } = {}): Read[] {
  const other = (name: string, of: number | null, run: (reader: BlockReader) => Promise<unknown>): Read => ({
    name,
    height: of,
    run: async (reader) => {
      await run(reader)
      return 'other'
    },
  })
  return [
    { name: 'block', height, run: (reader) => reader.block(height) },
    { name: 'block', height, run: (reader) => reader.block(height) },
    {
      name: 'blocks',
      height,
      run: async (reader) => ((await reader.blocks(height, height)).length > 0 ? 'other' : null),
    },
    other('header', height, (reader) => reader.header(height)),
    other('head', null, (reader) => reader.head()),
    other('tips', null, (reader) => reader.tips()),
    ...txIds.map((txId) => other('transaction', null, (reader) => reader.transaction(txId))),
    ...(hasInternal
      ? [
          other('internal', height, async (reader) => reader.internal?.(height)),
          other('balances', null, async (reader) =>
            reader.balances?.(['0x0000000000000000000000000000000000000001'], height),
          ),
        ]
      : []),
  ]
}

/** An endpoint in this process. */
export function endpoint(name: string, gate: Gate, answers: Answers) {
  const call = (method: string, params: unknown) => gate(method, async () => answers(method, params))
  const own: Endpoint = { name, close: async () => {} }
  return {
    ...own,
    call,
    callMany: (method: string, params: readonly unknown[]) =>
      gate(method, async () => params.map((each) => answers(method, each))),
    get: (path: string) => call(path, null),
    post: (path: string, body: object) => call(path, body),
  }
}

export const names = ['one.test', 'other.test'] as const
