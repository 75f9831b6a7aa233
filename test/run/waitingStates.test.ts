import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { alertFiles } from '../../scripts/alertsPage.ts'
import { nextStatuses as nextOfCollection } from '../../src/collections/nextOfCollection.ts'
import { nextStatuses as nextOfOutflow } from '../../src/outflows/nextStatuses.ts'
import { since } from '../../src/outflows/waitingAges.ts'

/*
 * Every state in which money waits has a metric of its age in docs/observability.md, and an alert with a limit.
 * A state that is added to the code fails here until it has both.
 */

const page = readFileSync('docs/observability.md', 'utf8')
/** The parts of the alerts' expressions, each with a limit of its own. */
const limits = alertFiles().flatMap((file) => file.alerts.flatMap(({ expr }) => expr.split(' or ')))

/** States that are over, unless a chain, a bank or late money changes them. */
const over = ['completed', 'returned', 'failed', 'cancelled', 'expired', 'refunded']
const waits = (next: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.keys(next).filter((status) => !over.includes(status))

const ages: readonly { of: string; metric: string; state: string }[] = [
  ...waits(nextOfOutflow)
    .filter((state) => state !== 'unknown')
    .map((state) => ({ of: 'outflows', metric: 'cowry_outflows_oldest_age_seconds', state })),
  { of: 'outflows that may have left', metric: 'cowry_payouts_unknown_age_seconds', state: '' },
  { of: 'ends by hand', metric: 'cowry_outflow_ends_waiting_age_seconds', state: '' },
  { of: 'top-ups', metric: 'cowry_partner_top_up_age_seconds', state: '' },
  ...['created', 'signed', 'broadcast', 'unknown', 'waiting_for_fee'].map((state) => ({
    of: 'outgoing transactions',
    metric: 'cowry_intents_oldest_age_seconds',
    state,
  })),
  ...[...waits(nextOfCollection), 'settlement'].map((state) => ({
    of: 'collections',
    metric: 'cowry_collections_waiting_seconds',
    state,
  })),
]

test.each(ages)('$of that wait have an age and an alert: $metric $state', ({ metric, state }) => {
  expect(page).toMatch(new RegExp(`^\\| \`${metric}\` `, 'm'))
  const selector = state === '' ? '' : `\\{[^}]*(?:status|state)=~?"(?:\\w+\\|)*${state}(?:\\|\\w+)*"[^}]*\\}`
  expect(limits.filter((each) => new RegExp(`${metric}${selector}\\)? > \\d+`).test(each))).not.toEqual([])
})

test('the age of outflows knows every state in which they wait', () => {
  expect(Object.keys(since).toSorted()).toEqual(waits(nextOfOutflow).toSorted())
})
