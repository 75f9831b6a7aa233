import { type MessagePort, parentPort } from 'node:worker_threads'
import { messageOf } from './errors.ts'

// The thread of `startComputeThread`.

/** A job for the thread. */
export interface Order {
  slot: number
  /** The URL of a module, and the name of a function that it exports. */
  module: string
  name: string
  /** Holds the bytes from its start. */
  memory: ArrayBuffer
  length: number
  args: readonly unknown[]
}

/** @property memory of the order */
export type Done = { slot: number; memory: ArrayBuffer } & ({ result: unknown } | { failed: string })

type Compute = (bytes: readonly Uint8Array[], ...args: readonly unknown[]) => unknown

async function answer({ module, name, memory, length, args }: Order): Promise<unknown> {
  const exported = (await import(module)) as Record<string, Compute>
  return (exported[name] as Compute)([new Uint8Array(memory, 0, length)], ...args)
}

/** Arrays with a buffer of their own are handed over; others are copied. */
const buffersOf = (result: unknown): ArrayBuffer[] =>
  Object.values(result ?? {}).flatMap((value) =>
    value instanceof Uint8Array &&
    value.buffer instanceof ArrayBuffer &&
    value.length === value.buffer.byteLength
      ? [value.buffer]
      : [],
  )

function serve(port: MessagePort): void {
  port.on('message', (order: Order) => {
    const { slot, memory } = order
    const done = (outcome: { result: unknown } | { failed: string }, buffers: readonly ArrayBuffer[] = []) =>
      port.postMessage({ slot, memory, ...outcome } satisfies Done, [memory, ...buffers])
    answer(order)
      .then((result) => done({ result }, buffersOf(result)))
      .catch((error: unknown) => done({ failed: messageOf(error) }))
  })
  port.postMessage({ ready: true })
}

// The image is compiled ahead outside of threads: then this module is only loaded.
if (parentPort) serve(parentPort)
