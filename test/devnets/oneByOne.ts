/**
 * anvil 1.7.1 stands still for ever where it is to mine a block while it traces one: a trace locks its blocks for reading, and once more,
 * and a writer that waits in between keeps the second lock from it. foundry's pull request 5448 mended another case of the same kind.
 */
const neverTogether = /^(evm_mine|anvil_mine|anvil_reorg|debug_trace)/

/** What was begun last at each node. */
const last = new Map<string, Promise<unknown>>()

/** Runs `work`, which calls these methods of a node; where one of them mines or traces, after all such that this process has begun there. */
export function oneByOne<T>(nodeUrl: string, methods: readonly string[], work: () => Promise<T>): Promise<T> {
  if (!methods.some((method) => neverTogether.test(method))) return work()
  const turn = (last.get(nodeUrl) ?? Promise.resolve()).then(work, work)
  last.set(nodeUrl, turn)
  return turn
}
