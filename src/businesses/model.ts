import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
} from 'sequelize'
import type { Approval } from '../members/businessApproval.ts'
import { defineModel } from '../platform/database/defineModel.ts'
import type { AmountLimit } from './amountLimits.ts'

export interface Business extends Model<InferAttributes<Business>, InferCreationAttributes<Business>> {
  id: string
  name: string
  /** ISO 4217; the currency of prices when a request names no currency. */
  localCurrency: string | null
  /** IANA name: its days and months are those of this zone. */
  timeZone: CreationOptional<string>
  /** Percent, exact decimal string. */
  feePercent: CreationOptional<string>
  fxMarginPercent: CreationOptional<string>
  /** Chain to tokens; null: everything that the deployment offers. */
  accepted: Record<string, string[]> | null
  /** What may be missing of a payment: a share, or whole units of the token; both null: nothing. */
  tolerancePercent: CreationOptional<string | null>
  toleranceAmount: CreationOptional<string | null>
  /** That the `returnUrl` of a session may have. */
  returnHosts: CreationOptional<string[]>
  /** The smallest and the largest amount of a session. */
  amountLimits: CreationOptional<AmountLimit[]>
  approval: CreationOptional<Approval>
  /** The operator's reason. */
  approvalReason: CreationOptional<string | null>
  /** For its members who may move money. */
  requiresSecondFactor: CreationOptional<boolean>
  /** When that ends; null: not at all. */
  secondFactorUntil: CreationOptional<Date | null>
  /** The account that opened it for itself. */
  openedBy: CreationOptional<string | null>
  createdAt: CreationOptional<Date>
}

export const businessModel = defineModel<Business>(
  'Business',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    name: DataTypes.TEXT,
    localCurrency: DataTypes.TEXT,
    timeZone: DataTypes.TEXT,
    feePercent: DataTypes.DECIMAL(9, 6),
    fxMarginPercent: DataTypes.DECIMAL(9, 6),
    accepted: DataTypes.JSONB,
    tolerancePercent: DataTypes.DECIMAL,
    toleranceAmount: DataTypes.DECIMAL,
    returnHosts: DataTypes.ARRAY(DataTypes.TEXT),
    amountLimits: DataTypes.JSONB,
    approval: DataTypes.TEXT,
    approvalReason: DataTypes.TEXT,
    requiresSecondFactor: DataTypes.BOOLEAN,
    secondFactorUntil: DataTypes.DATE,
    openedBy: DataTypes.UUID,
    createdAt: DataTypes.DATE,
  },
  { tableName: 'businesses', updatedAt: false },
)
