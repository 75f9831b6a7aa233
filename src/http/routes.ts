import type { operations as ApiOperations } from '../../client/contract/api.ts'
import type { operations as VerificationOperations } from '../../client/contract/verification.ts'
import type { Answer, ApiRequest } from './request.ts'

// The types of the contracts, for handlers: the contract has checked a request before its handler runs.

type operations = ApiOperations & VerificationOperations

export type OperationId = keyof operations

/** The JSON body of an operation; undefined too, where it may be left out. */
export type BodyOf<O extends OperationId> = operations[O] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : operations[O] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? [NonNullable<operations[O]['requestBody']>] extends [never]
      ? never
      : Body | undefined
    : never

type Given<T> = T extends undefined ? never : T

/** The query of an operation, with defaults filled in by the validator. */
export type QueryOf<O extends OperationId> = Given<operations[O]['parameters']['query']>

/** The parameters in an operation's path. */
export type ParamsOf<O extends OperationId> = Given<operations[O]['parameters']['path']>

export type Handler<O extends OperationId> = (
  request: ApiRequest<BodyOf<O>, QueryOf<O>, ParamsOf<O>>,
) => Promise<Answer>

/** Handlers of a capability's operations, by operationId. */
export type Routes = { [O in OperationId]?: Handler<O> }
