import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from 'sequelize'

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
        createdAt: DataTypes.DATE,
      },
      { tableName: 'businesses', underscored: true, updatedAt: false },
    )
  )
}

export interface ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  id: string
  businessId: string
  name: string
  /** What may be shown of the key. */
  prefix: string
  /** SHA-256 of the whole key. */
  hash: Buffer
  scope: Scope
  createdAt: CreationOptional<Date>
  expiresAt: CreationOptional<Date | null>
  revokedAt: CreationOptional<Date | null>
}

export type Scope = 'read' | 'write'

export function apiKeyModel(sequelize: Sequelize): ModelStatic<ApiKey> {
  return (
    (sequelize.models.ApiKey as ModelStatic<ApiKey> | undefined) ??
    sequelize.define<ApiKey>(
      'ApiKey',
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        businessId: DataTypes.UUID,
        name: DataTypes.TEXT,
        prefix: DataTypes.TEXT,
        hash: DataTypes.BLOB,
        scope: DataTypes.TEXT,
        createdAt: DataTypes.DATE,
        expiresAt: DataTypes.DATE,
        revokedAt: DataTypes.DATE,
      },
      { tableName: 'api_keys', underscored: true, updatedAt: false },
    )
  )
}
