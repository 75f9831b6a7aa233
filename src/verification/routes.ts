import type { Routes } from '../http/routes.ts'
import { requireMetadata } from '../monitoring/request.ts'
import type { VerificationContext } from './context.ts'
import { createVerification } from './createVerification.ts'
import { eraseVerification } from './eraseVerification.ts'
import { readPerson } from './personData.ts'
import { presentRequested, presentStatus } from './presentVerification.ts'
import { readVerification } from './readVerification.ts'

/** Operations of the verification host. */
export function verificationRoutes(ctx: VerificationContext): Routes {
  return {
    getVerificationHealth: async () => ({ status: 200, body: { status: 'ok' } }),
    async createVerification({ caller, body }) {
      requireMetadata(body.metadata)
      return { status: 202, body: presentRequested(ctx, await createVerification(ctx, caller, body)) }
    },
    getVerificationStatus: async ({ caller, params }) => ({
      status: 200,
      body: presentStatus(await readVerification(ctx.db, caller.businessId, params.id)),
    }),
    async getVerificationResult({ caller, params }) {
      const row = await readVerification(ctx.db, caller.businessId, params.id)
      const person = row.dataKey && (await readPerson(ctx.db, ctx.verifyKey, row.id, row.dataKey))
      return { status: 200, body: { ...presentStatus(row), person } }
    },
    eraseVerification: async ({ caller, params }) => ({ status: 200, body: presentStatus(await eraseVerification(ctx, caller, params.id)) }),
  }
}
