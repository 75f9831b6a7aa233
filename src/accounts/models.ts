import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from 'sequelize'

/** Production takes only the approved; nothing takes the suspended. */
export type Approval = 'pending' | 'approved' | 'suspended'

export interface Business extends Model<InferAttributes<Business>, InferCreationAttributes<Business>> {
  id: string
  name: string
  /** ISO 4217; what a price is converted to when a request names no currency. */
  localCurrency: string | null
  /** Percent, exact decimal string. */
  feePercent: CreationOptional<string>
  fxMarginPercent: CreationOptional<string>
  /** Chain to tokens; null: all that the deployment offers. */
  accepted: Record<string, string[]> | null
  approval: CreationOptional<Approval>
  /** What the operator said of it. */
  approvalReason: CreationOptional<string | null>
  /** Of its owners. */
  requiresSecondFactor: CreationOptional<boolean>
  /** Who opened it for themselves. */
  openedBy: CreationOptional<string | null>
  createdAt: CreationOptional<Date>
}

export function businessModel(sequelize: Sequelize): ModelStatic<Business> {
  return (
    (sequelize.models.Business as ModelStatic<Business> | undefined) ??
    sequelize.define<Business>(
      'Business',
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        name: DataTypes.TEXT,
        localCurrency: DataTypes.TEXT,
        feePercent: DataTypes.DECIMAL(9, 6),
        fxMarginPercent: DataTypes.DECIMAL(9, 6),
        accepted: DataTypes.JSONB,
        approval: DataTypes.TEXT,
        approvalReason: DataTypes.TEXT,
        requiresSecondFactor: DataTypes.BOOLEAN,
        openedBy: DataTypes.UUID,
        createdAt: DataTypes.DATE,
      },
      { tableName: 'businesses', underscored: true, updatedAt: false },
    )
  )
}
