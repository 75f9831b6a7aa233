import type { Answer } from '../http/request.ts'
import type { Routes } from '../http/routes.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import { splitQuery } from '../platform/pages.ts'
import { assessRisk } from './assessRisk.ts'
import { auditRead } from './auditRead.ts'
import type { VerificationContext } from './context.ts'
import { createVerification } from './createVerification.ts'
import { decide } from './decide.ts'
import { eraseVerification } from './eraseVerification.ts'
import { exportRequest } from './exportRequest.ts'
import { listVerifications } from './listVerifications.ts'
import type { StoredRequest } from './model.ts'
import { readPerson } from './personData.ts'
import {
  presentAssessment,
  presentDecision,
  presentRequest,
  presentRequested,
  presentStatus,
} from './presentVerification.ts'
import { readRequest, readVerification } from './readVerification.ts'
import { refusePending } from './refusePending.ts'
import { listMedia, readMedia } from './uploads/readMedia.ts'
import { receiveUpload } from './uploads/receiveUpload.ts'

/** Operations of the verification host. */
export function verificationRoutes(ctx: VerificationContext): Routes {
  const decided = (row: StoredRequest): Answer => ({
    status: row.completedAt === null ? 202 : 200,
    body: presentDecision(ctx, row),
  })
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
      if (person) await auditRead(ctx, caller, 'verification.result_read', row.id)
      return { status: 200, body: { ...presentStatus(row), person, media: await listMedia(ctx.db, row.id) } }
    },
    async getVerificationMedia({ caller, params }) {
      const { name, type, pieces } = await readMedia(ctx, caller.businessId, params.id, params.mediaId)
      await auditRead(ctx, caller, 'verification.media_read', params.mediaId)
      return { status: 200, body: {}, stream: pieces, file: { name, type } }
    },
    async listVerifications({ caller, query }) {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listVerifications(ctx, caller.businessId, filter, request) }
    },
    async exportVerification({ caller, params }) {
      const body = await exportRequest(ctx, caller.businessId, params.id)
      if (body.person) await auditRead(ctx, caller, 'verification.exported', body.id)
      return { status: 200, body }
    },
    eraseVerification: async ({ caller, params }) => ({
      status: 200,
      body: presentRequest(await eraseVerification(ctx, caller, params.id)),
    }),
    createDecision: async ({ caller, body }) => decided(await decide(ctx, caller, body)),
    getDecision: async ({ caller, params }) => ({
      status: 200,
      body: presentDecision(ctx, await readRequest(ctx.db, caller.businessId, params.id, 'decision')),
    }),
    async createRiskAssessment({ caller, body }) {
      requireMetadata(body.metadata)
      const row = await assessRisk(ctx, caller, body)
      refusePending(ctx, row)
      return { status: 202, body: presentRequested(ctx, row) }
    },
    getRiskAssessment: async ({ caller, params }) => ({
      status: 200,
      body: presentAssessment(ctx, await readRequest(ctx.db, caller.businessId, params.id, 'assessment')),
    }),
    createUpload: async ({ caller, upload }) => ({
      status: 200,
      body: await receiveUpload(ctx, caller, upload()),
    }),
  }
}
