import { outflowEventSources } from '../../src/capabilities.ts'
import { createOutflowEvents, type OutflowEvents } from '../../src/outflows/outflowEvents.ts'
import type { Secret } from '../../src/platform/secrets.ts'

/** The events of payouts and refunds, as the processes have them. */
export const outflowEventsFor = (appKey: Secret): OutflowEvents =>
  createOutflowEvents(outflowEventSources, { appKey })
