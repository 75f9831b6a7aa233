import { benchCatchUp, kinds } from './catchUp.ts'
import { benchHeadCalls } from './headCalls.ts'
import { benchPeers } from './peers/report.ts'
import type { Report } from './report.ts'
import type { Scope } from './scope.ts'

/**
 * What the indexer does far behind the head, and what it asks of its providers at the head, its own process, against a million watched addresses; and how it
 * does beside programs of its kind.
 */
export async function benchIndexers(scope: Scope, run: Scope): Promise<Report> {
  const reports: Report[] = []
  for (const kind of kinds) reports.push(await benchCatchUp(scope, run, kind))
  reports.push(await benchHeadCalls(scope, run))
  reports.push(await benchPeers(scope, run))
  return {
    figures: reports.flatMap(({ figures }) => figures),
    notes: [
      'ratios are of times. The indexer is the process of production, its node another one that answers recorded blocks out of memory; in catch-up the time runs from the first commit of a round to its last, by the clock of Postgres. Node, indexer and Postgres share the cores.',
      ...reports.flatMap(({ notes }) => notes),
    ],
  }
}
