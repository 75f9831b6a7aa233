import { benchCatchUp, kinds } from './catchUp.ts'
import { benchHeadCalls } from './headCalls.ts'
import type { Report } from './report.ts'
import type { Scope } from './scope.ts'

/** The indexer's own process against a million watched addresses: its speed far behind the head, and what it asks of its providers at the head. */
export async function* benchIndexers(scope: Scope, whole: Scope): AsyncGenerator<Report> {
  const note =
    'ratios are of times. The indexer is the process of production, its node another one that answers recorded blocks out of memory; in catch-up the time runs from the first commit of a round to its last, by the clock of Postgres. Node, indexer and Postgres share the cores.'
  yield { figures: [], notes: [note] }
  for (const kind of kinds) yield* benchCatchUp(scope, whole, kind)
  yield await benchHeadCalls(scope, whole)
}
