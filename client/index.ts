export { type Client, type ClientOptions, createClient, type ReceivedEvent } from './client.ts'
export type {
  ApiOperations as operations,
  components,
  components as dashboardComponents,
  DashboardOperations as dashboardOperations,
} from './contract/api.ts'
export type { CowryEvent, EventsByType, EventType } from './contract/events.ts'
export { permissions } from './contract/operations.ts'
export { createDashboardClient, type DashboardClient, type DashboardClientOptions } from './dashboard.ts'
export {
  AuthenticationError,
  ConnectionError,
  type ConnectionFailure,
  CowryError,
  type FieldError,
  IdempotencyConflictError,
  InsufficientCreditError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ValidationError,
} from './errors.ts'
export type { EventOptions } from './events.ts'
export type {
  AnswerOf,
  BodyOf,
  DashboardAnswerOf,
  DashboardBodyOf,
  DashboardOperation,
  DashboardOptionsOf,
  DashboardQueryOf,
  Operation,
  OptionsOf,
  PagedOperation,
  QueryOf,
  QuoteOptions,
  StreamedOf,
  StreamOperation,
} from './types.ts'
export {
  createVerificationClient,
  type Upload,
  type VerificationAnswerOf,
  type VerificationClient,
  type VerificationClientOptions,
  type VerificationOperation,
  type WaitOptions,
} from './verification.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks/verify.ts'
