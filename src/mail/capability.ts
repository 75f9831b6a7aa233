import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'
import { mailSettings } from './settings.ts'

/** Mails to people: invitations, resets, proofs of an address. */
export const mail: Capability = {
  name: 'mail',
  sealed: sealedColumns,
  settings: mailSettings,
  startApi: async ({ appKey, settings }) => ({
    mailing: settings(mailSettings.api).MAIL_FROM === undefined ? null : { appKey },
  }),
  startWorker: async (ctx) => (await import('./startMail.ts')).startMail(ctx),
}
