import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Endpoint = DashboardAnswerOf<'getWebhookEndpointOfBusiness'>
export type CallbackHost = DashboardAnswerOf<'getWebhookCallbacksOfBusiness'>['hosts'][number]
export type Signature = Endpoint['signature']
export type Delivery = DashboardAnswerOf<'listWebhooksOfBusiness'>['webhooks'][number]
export type DeliveryStatus = Delivery['status']
export type DeliveryDetails = DashboardAnswerOf<'getWebhookOfBusiness'>
export type Attempt = DeliveryDetails['attempts'][number]
export type NewEndpoint = Required<DashboardBodyOf<'createWebhookEndpointOfBusiness'>>
