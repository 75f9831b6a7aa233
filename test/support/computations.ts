import { threadId } from 'node:worker_threads'
import type { Computation } from '../../src/platform/computeThreads.ts'

// What threads are given to compute. Each has its own way to go wrong, in threads only.

export interface Computed {
  /** 0 is the main thread. */
  thread: number
  bytes: Uint8Array
}

export function reverse(bytes: readonly Uint8Array[], ms: number): Computed {
  const until = performance.now() + ms
  while (performance.now() < until);
  return { thread: threadId, bytes: Uint8Array.from(Buffer.concat(bytes).reverse()) }
}

export function dieInThread(bytes: readonly Uint8Array[]): Computed {
  if (threadId !== 0) process.exit(3)
  return reverse(bytes, 1)
}

export function outgrowThread(bytes: readonly Uint8Array[]): Computed {
  const held: object[] = []
  while (threadId !== 0) held.push({ of: [held.length] })
  return reverse(bytes, 1)
}

export function failInThread(bytes: readonly Uint8Array[]): Computed {
  if (threadId !== 0) throw new Error('not in a thread')
  return reverse(bytes, 1)
}

export function fail(): Computed {
  throw new Error('nowhere')
}

const module = import.meta.url
const computation = <Args extends readonly unknown[]>(
  compute: (bytes: readonly Uint8Array[], ...args: Args) => Computed,
) => ({
  module,
  name: compute.name,
  compute,
})

export const reversing: Computation<[ms: number], Computed> = computation(reverse)
export const dying: Computation<[], Computed> = computation(dieInThread)
export const outgrowing: Computation<[], Computed> = computation(outgrowThread)
export const failingInThread: Computation<[], Computed> = computation(failInThread)
export const failing: Computation<[], Computed> = computation(fail)
