import { BaseError } from '../platform/errors.ts'
import type { Position } from './position.ts'

/** An entry would take more from `available` than there is. Nothing was posted. */
export class InsufficientFundsError extends BaseError {
  readonly code = 'insufficient_funds'
  readonly retry = 'no'
  readonly businessId: string
  readonly asset: string
  /** Base units. */
  readonly missing: bigint
  constructor({ businessId, asset, available }: Position, cause?: unknown) {
    super(`business ${businessId} lacks ${-available} base units of ${asset}`, { cause })
    this.businessId = businessId
    this.asset = asset
    this.missing = -available
  }
}
