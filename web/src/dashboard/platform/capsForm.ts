import { FieldProblem } from '../../ui/FieldProblem.ts'
import { trimmed } from '../formData.ts'
import type { Caps } from '../types.ts'

/** Each cap's label and the thing that it counts. */
export const capLabels: Record<keyof Caps, { label: string; counts: string }> = {
  monitoredAddresses: { label: 'Monitored addresses', counts: 'Addresses that are monitored.' },
  openSessions: { label: 'Open sessions', counts: 'Payment sessions that wait for a payment.' },
  endpointsPerHost: { label: 'Endpoints per host', counts: 'Webhook endpoints at one host.' },
  deliveriesPerHost: {
    label: 'Deliveries per host',
    counts: 'Webhooks under way to one host at once. More wait; they are not refused.',
  },
  importBlocksPerDay: {
    label: 'Blocks read again per day',
    counts: 'For addresses that are monitored from an earlier block on.',
  },
  replaysPerDay: { label: 'Replays per day', counts: 'Webhooks that are sent again.' },
  nodeQuestionsPerDay: {
    label: 'Node requests per day',
    counts: 'Balances, estimates, explanations, prepared and refused transfers.',
  },
}

export const capNames = Object.keys(capLabels) as (keyof Caps)[]

export const maxCap = 1_000_000_000_000

/**
 * Caps that were changed: the API keeps those that are left out. Empty: back to the default. @throws
 * FieldProblem
 */
export function readCaps(data: FormData, caps: Caps): Partial<Caps> {
  const problems: Record<string, string> = {}
  const changes: Partial<Caps> = {}
  for (const name of capNames) {
    const text = trimmed(data, name)
    const wanted = text === '' ? null : Number(text)
    if (wanted !== null && !Number.isSafeInteger(wanted))
      problems[name] = `Enter a whole number from 0 to ${maxCap}.`
    else if (wanted !== caps[name]) changes[name] = wanted
  }
  if (Object.keys(problems).length > 0) throw new FieldProblem(problems)
  return changes
}
