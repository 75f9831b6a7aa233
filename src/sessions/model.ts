import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
} from 'sequelize'
import type { PayoutSkipped } from '../payouts/planAutomatic.ts'
import { defineModel } from '../platform/database/defineModel.ts'

export const sessionStatuses = ['pending', 'paid', 'paid_out', 'expired', 'cancelled'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** By severity, highest first; a session shows its most severe exception. */
export const sessionExceptions = [
  'wrong_token',
  'wrong_chain',
  'late',
  'underpaid',
  'overpaid',
  'none',
] as const
export type SessionException = (typeof sessionExceptions)[number]

/** A stored session. Amounts are base units in decimal digits, as `numeric` comes from the database. */
export interface PosSession extends Model<InferAttributes<PosSession>, InferCreationAttributes<PosSession>> {
  id: string
  businessId: string
  chain: string
  token: string
  family: string
  /** Normalized for the family. */
  address: string
  /** The address and the memo as people read them; null where the stored form is the same. */
  shownAddress: CreationOptional<string | null>
  amountExpected: string
  /** What may be missing, fixed at creation. */
  amountTolerated: CreationOptional<string>
  amountReceived: CreationOptional<string>
  amountSettled: CreationOptional<string>
  /** Of `amountSettled`: the excess, which stays `pending` until `heldUntil`. */
  amountHeld: CreationOptional<string>
  heldUntil: CreationOptional<Date | null>
  /**
   * What the business keeps of `amountSettled` once an excess was credited, without what was refunded; null:
   * the requested amount.
   */
  amountCredited: CreationOptional<string | null>
  /** In units of `localCurrency`. */
  localAmount: string | null
  localCurrency: string | null
  /** Units of `localCurrency` per token: the mid rate at creation. */
  rate: string | null
  /**
   * When the partner observed the rate, and the partner's name; null without a rate, and in sessions of
   * earlier versions.
   */
  rateAt: CreationOptional<Date | null>
  rateSource: CreationOptional<string | null>
  fxMarginPercent: string
  /** In units of `feeCurrency`: the local currency, or the token. */
  fee: string
  feeCurrency: string
  status: CreationOptional<SessionStatus>
  exception: CreationOptional<SessionException>
  /** With `finality: 'finalized'`, the depth that replaces it if no provider reports finality. */
  requiredConfirmations: number
  finality: CreationOptional<'confirmations' | 'finalized'>
  label: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  /** The payment link that made it. */
  linkId: CreationOptional<string | null>
  /** Where the customer goes back to. */
  returnUrl: CreationOptional<string | null>
  /** Gets its events, in addition to the endpoints. */
  webhookUrl: CreationOptional<string | null>
  /** What a person decided about money that came otherwise than expected; null: nothing. */
  resolution: CreationOptional<'accepted' | 'left' | null>
  /** Of `accepted`: what was confirmed then. */
  amountAccepted: CreationOptional<string | null>
  expiresAt: Date
  paidAt: CreationOptional<Date | null>
  /** Why autopayout was on when it was paid, and made no payout; null otherwise. */
  payoutSkipped: CreationOptional<PayoutSkipped | null>
  /** Null too in sessions that an earlier version cancelled. */
  cancelledAt: CreationOptional<Date | null>
  createdAt: CreationOptional<Date>
}

export const sessionModel = defineModel<PosSession>(
  'PosSession',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    chain: DataTypes.TEXT,
    token: DataTypes.TEXT,
    family: DataTypes.TEXT,
    address: DataTypes.TEXT,
    shownAddress: DataTypes.TEXT,
    amountExpected: DataTypes.DECIMAL(78, 0),
    amountTolerated: { type: DataTypes.DECIMAL(78, 0), defaultValue: '0' },
    amountReceived: { type: DataTypes.DECIMAL(78, 0), defaultValue: '0' },
    amountSettled: { type: DataTypes.DECIMAL(78, 0), defaultValue: '0' },
    amountHeld: { type: DataTypes.DECIMAL(78, 0), defaultValue: '0' },
    heldUntil: DataTypes.DATE,
    amountCredited: DataTypes.DECIMAL(78, 0),
    localAmount: DataTypes.DECIMAL(40, 8),
    localCurrency: DataTypes.TEXT,
    rate: DataTypes.DECIMAL(40, 12),
    rateAt: DataTypes.DATE,
    rateSource: DataTypes.TEXT,
    fxMarginPercent: DataTypes.DECIMAL(9, 6),
    fee: DataTypes.DECIMAL(60, 18),
    feeCurrency: DataTypes.TEXT,
    status: { type: DataTypes.TEXT, defaultValue: 'pending' },
    exception: { type: DataTypes.TEXT, defaultValue: 'none' },
    requiredConfirmations: DataTypes.INTEGER,
    finality: { type: DataTypes.TEXT, defaultValue: 'confirmations' },
    label: DataTypes.TEXT,
    reference: DataTypes.TEXT,
    metadata: DataTypes.JSONB,
    linkId: DataTypes.UUID,
    returnUrl: DataTypes.TEXT,
    webhookUrl: DataTypes.TEXT,
    resolution: DataTypes.TEXT,
    amountAccepted: DataTypes.DECIMAL(78, 0),
    expiresAt: DataTypes.DATE,
    paidAt: DataTypes.DATE,
    payoutSkipped: DataTypes.TEXT,
    cancelledAt: DataTypes.DATE,
    createdAt: DataTypes.DATE,
  },
  { tableName: 'pos_sessions', updatedAt: false },
)
