import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import { listDeadJobs, replayDeadJob, replayDeadJobs } from './deadJobs.ts'
import { type HealthContext, readHealth } from './readHealth.ts'

/** Health of the platform and its dead jobs, for operators. */
export const healthDashboardRoutes = (ctx: HealthContext & { db: Db }): Routes => ({
  getHealth: async () => ({ status: 200, body: await readHealth(ctx) }),
  async listDeadJobs({ query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listDeadJobs(ctx, filter, request) }
  },
  replayDeadJob: async ({ caller, params }) => ({
    status: 200,
    body: { jobs: await replayDeadJob(ctx, caller.actor, params.jobId) },
  }),
  replayDeadJobs: async ({ caller, body }) => ({
    status: 200,
    body: { jobs: await replayDeadJobs(ctx, caller.actor, body.queue) },
  }),
})
