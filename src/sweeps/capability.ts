import type { Capability } from '../capability.ts'
import { gasPurpose } from './gasPurpose.ts'
import { sweepPurpose } from './sweepPurpose.ts'

/** Moves what deposit addresses hold to the treasury. */
export const sweeps: Capability = {
  name: 'sweeps',
  intents: [sweepPurpose, gasPurpose],
  tables: {
    treasury_addresses: { api: 'select', worker: 'select', treasury: 'select, insert, update' },
    sweep_settings: { api: 'select, insert, update', worker: 'select', treasury: 'select' },
    sweep_sources: { worker: 'select, insert, update' },
    sweeps: { worker: 'select, insert, update', treasury: 'select, update (next_at)' },
    sweep_intents: { worker: 'select, insert', treasury: 'select' },
    sweep_authorizations: { worker: 'select', treasury: 'select, insert, update (signature)' },
  },
}
