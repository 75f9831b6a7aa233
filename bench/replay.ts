import { startChild } from './child.ts'
import { firstHeight, type ReplayedChain } from './recordedChain.ts'
import type { ReplayAnswer, ReplayOrder } from './replayNode.ts'
import type { Scope } from './scope.ts'

/** A node in a separate process that answers recorded blocks. */
export interface Replay {
  url: string
  wsUrl: string
  /** Changes the state of the chain. @returns the calls since the last order */
  order(order: ReplayOrder): Promise<ReplayAnswer>
}

export async function startReplay(
  scope: Scope,
  chain: ReplayedChain,
  { head = firstHeight, traces = false, latencyMs = 0 } = {},
): Promise<Replay> {
  const child = scope.keep(
    startChild(new URL('./replayNode.ts', import.meta.url), {
      CHAIN: chain,
      HEAD: String(head),
      TRACES: traces ? '1' : '',
      LATENCY_MS: String(latencyMs),
    }),
    (each) => each.close(),
  )
  const { port } = await child.next<{ port: number }>()
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    order: (order) => child.ask<ReplayAnswer>(order),
  }
}

/** Sums up the counted calls. */
export function callsOf(answers: readonly ReplayAnswer[]): { total: number; byMethod: Map<string, number> } {
  const byMethod = new Map<string, number>()
  for (const { calls } of answers)
    for (const [method, count] of Object.entries(calls))
      byMethod.set(method, (byMethod.get(method) ?? 0) + count)
  return { total: [...byMethod.values()].reduce((sum, count) => sum + count, 0), byMethod }
}
