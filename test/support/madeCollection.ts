import { dashboard, type Person, sessionOf } from './dashboardSession.ts'
import { someCollection } from './sampleRequests.ts'
import type { Stack } from './stack.ts'

/** A collection that a person makes in the dashboard, at the partner's stand-in. @returns its id */
export async function makeCollection(stack: Stack, person: Person, businessId: string, more: object = {}): Promise<string> {
  const { headers } = await sessionOf(stack, person)
  const body = { ...someCollection(), ...more }
  const made = await dashboard<{ id: string }>(stack, 'POST', `/businesses/${businessId}/fiat-collections`, body, headers)
  if (made.status !== 201) throw new Error(`no collection: ${made.status} ${JSON.stringify(made.body)}`)
  return made.body.id
}
