import { benchCatchUp, kinds } from './catchUp.ts'
import { benchHeadCalls } from './headCalls.ts'
import type { Report } from './report.ts'
import type { Scope } from './scope.ts'

/**
 * The indexer process with a million watched addresses: its speed far behind the head, and its provider calls
 * at the head.
 */
export async function* benchIndexers(scope: Scope, whole: Scope): AsyncGenerator<Report> {
  const note =
    'ratios are of times. The indexer runs as in production; its node is another process that answers recorded blocks from memory. In catch-up the time runs from the first commit of a round to its last, by the clock of Postgres. Node, indexer and Postgres share the cores.'
  yield { figures: [], notes: [note] }
  for (const kind of kinds) yield* benchCatchUp(scope, whole, kind)
  yield await benchHeadCalls(scope, whole)
}
