import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from 'sequelize'

/** `read`: looks only. `write`: changes and sends, too. */
export type Scope = 'read' | 'write'

/** What a key is limited to besides its scope; null: not limited in this. */
export interface KeyLimits {
  /** Networks in CIDR notation. */
  allowedAddresses: string[] | null
  requestsPerMinute: number | null
  permissions: string[] | null
  expiresAt: Date | null
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
  /** The account that made it; null: made with the deployment. */
  createdBy: CreationOptional<string | null>
  allowedAddresses: CreationOptional<string[] | null>
  requestsPerMinute: CreationOptional<number | null>
  permissions: CreationOptional<string[] | null>
  /** What a key that names no permissions may change. A permission that comes with a later version is not in it. */
  writePermissions: string[]
  /** The first of the keys that it was rotated from; itself where there is none. */
  rootId: string
  /** Who last let it send from stored wallets, where that is not who made it. */
  sendsAllowedBy: CreationOptional<string | null>
  /** When it last sent from a stored wallet before that needed a permission; null once an owner has decided. */
  sentFromWalletsAt: CreationOptional<Date | null>
  expiresAt: CreationOptional<Date | null>
  revokedAt: CreationOptional<Date | null>
  lastUsedAt: CreationOptional<Date | null>
  lastUsedAddress: CreationOptional<string | null>
  /** The key that it was rotated to. */
  replacedBy: CreationOptional<string | null>
}

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
        createdBy: DataTypes.UUID,
        allowedAddresses: DataTypes.ARRAY(DataTypes.TEXT),
        requestsPerMinute: DataTypes.INTEGER,
        permissions: DataTypes.ARRAY(DataTypes.TEXT),
        writePermissions: DataTypes.ARRAY(DataTypes.TEXT),
        rootId: DataTypes.UUID,
        sendsAllowedBy: DataTypes.UUID,
        sentFromWalletsAt: DataTypes.DATE,
        expiresAt: DataTypes.DATE,
        revokedAt: DataTypes.DATE,
        lastUsedAt: DataTypes.DATE,
        lastUsedAddress: DataTypes.TEXT,
        replacedBy: DataTypes.UUID,
      },
      { tableName: 'api_keys', underscored: true, updatedAt: false },
    )
  )
}
