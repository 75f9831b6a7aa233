import type { components } from '../../../client/contract/api.ts'

/** A session as its customer may see it. */
export type Checkout = components['schemas']['Checkout']

/** A payment link as its customer may see it. */
export type PayableLink = components['schemas']['PayableLink']
export type LinkChoice = PayableLink['choices'][number]
