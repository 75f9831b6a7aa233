import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'
import { mailSettings } from './settings.ts'

/** Mails to people: invitations, resets, proofs of an address. */
export const mail: Capability = {
  name: 'mail',
  sealed: sealedColumns,
  settings: mailSettings,
  startWorker: async (ctx) => (await import('./startMail.ts')).startMail(ctx),
}
