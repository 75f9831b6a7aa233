import type { operations as ApiOperations } from '../client/contract/api.ts'
import type { operations as DashboardOperations } from '../client/contract/dashboard.ts'

type operations = ApiOperations & DashboardOperations

/** The JSON body of an operation. */
export type BodyOf<O extends keyof operations> = operations[O] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never

type Given<T> = T extends undefined ? never : T

/** The query of an operation, with defaults filled in by the validator. */
export type QueryOf<O extends keyof operations> = Given<operations[O]['parameters']['query']>
