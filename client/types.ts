import type { ApiOperations, DashboardOperations } from './contract/api.ts'
import type { CowryError } from './errors.ts'

type Json<T> = T extends { content: { 'application/json': infer Content } } ? Content : never
type BodyIn<O> = O extends { requestBody?: infer Request } ? Json<Request> : never
export type AnswerIn<O> = O extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202)]>
  : never
type ParameterIn<O, Place extends string> = O extends { parameters: { [P in Place]?: infer Values } }
  ? NonNullable<Values>
  : never

type IsOptional<T, Key extends keyof T> = Partial<Pick<T, Key>> extends Pick<T, Key> ? true : false
/** Optional values may be undefined: they are left out. */
type OrUndefined<T> = { [Key in keyof T]: IsOptional<T, Key> extends true ? T[Key] | undefined : T[Key] }
/** A parameter with several values also takes one alone. */
type OrOne<T> = { [Key in keyof T]: T[Key] | OneOf<T[Key]> }
type OneOf<Value> = Value extends readonly (infer One)[] ? One | readonly One[] : never
type QueryIn<O> = OrUndefined<OrOne<ParameterIn<O, 'query'>>>

type BodyOption<O> = [BodyIn<O>] extends [never]
  ? { body?: never }
  : O extends { requestBody: unknown }
    ? { body: BodyIn<O> }
    : { body?: BodyIn<O> | undefined }
type PathOption<O> = [ParameterIn<O, 'path'>] extends [never]
  ? { path?: never }
  : { path: ParameterIn<O, 'path'> }
type QueryOption<O> = [ParameterIn<O, 'query'>] extends [never]
  ? { query?: never }
  : Partial<QueryIn<O>> extends QueryIn<O>
    ? { query?: QueryIn<O> | undefined }
    : { query: QueryIn<O> }
type KeyOption<O> =
  'Idempotency-Key' extends NameIn<ParameterIn<O, 'header'>>
    ? { idempotencyKey?: string | undefined }
    : { idempotencyKey?: never }
type NameIn<Values> = [Values] extends [never] ? never : keyof Values
export type OptionsIn<O> = BodyOption<O> &
  PathOption<O> &
  QueryOption<O> &
  KeyOption<O> & { signal?: AbortSignal | undefined }

/** The second argument of `call`; optional if the contract requires nothing. */
export type Arguments<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options]

export type Operation = keyof ApiOperations
/** Operations whose answer has `nextCursor`. */
export type PagedOperation = {
  [Op in Operation]: AnswerOf<Op> extends { nextCursor: string | null } ? Op : never
}[Operation]
/** Operations that are WebSockets. */
export type StreamOperation = {
  [Op in Operation]: ApiOperations[Op] extends { responses: { 101: unknown } } ? Op : never
}[Operation]
type MessageIn<O> = O extends { responses: { 101: infer Stream } } ? Json<Stream> : never
/** What a stream yields. */
export type StreamedOf<Op extends StreamOperation> =
  MessageIn<ApiOperations[Op]> extends { quote?: infer Quote } ? NonNullable<Quote> : never
export interface QuoteOptions {
  /** Called each time there is no price: the last quote is not valid any more. The stream goes on. */
  onError?: ((error: CowryError) => void) | undefined
}
export type StreamArgumentsOf<Op extends StreamOperation> = Arguments<
  Pick<OptionsOf<Op>, 'query' | 'signal'> & QuoteOptions
>
export type BodyOf<Op extends Operation> = BodyIn<ApiOperations[Op]>
export type AnswerOf<Op extends Operation> = AnswerIn<ApiOperations[Op]>
export type QueryOf<Op extends Operation> = QueryIn<ApiOperations[Op]>
export type OptionsOf<Op extends Operation> = OptionsIn<ApiOperations[Op]>
export type ArgumentsOf<Op extends Operation> = Arguments<OptionsOf<Op>>

export type DashboardOperation = keyof DashboardOperations
export type DashboardBodyOf<Op extends DashboardOperation> = BodyIn<DashboardOperations[Op]>
export type DashboardAnswerOf<Op extends DashboardOperation> = AnswerIn<DashboardOperations[Op]>
export type DashboardQueryOf<Op extends DashboardOperation> = QueryIn<DashboardOperations[Op]>
export type DashboardOptionsOf<Op extends DashboardOperation> = OptionsIn<DashboardOperations[Op]>
export type DashboardArgumentsOf<Op extends DashboardOperation> = Arguments<DashboardOptionsOf<Op>>

/** The options of `call`, for any operation. */
export interface CallOptions {
  body?: unknown
  path?: Record<string, string> | undefined
  query?: Record<string, string | number | boolean | undefined> | undefined
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}
