import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
} from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'

/** `read`: reads only. `write`: also changes and sends. */
export type Scope = 'read' | 'write'

/** Limits of a key in addition to its scope; null: not limited. */
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
  /** The part of the key that may be shown. */
  prefix: string
  /** SHA-256 of the whole key. */
  hash: Buffer
  scope: Scope
  createdAt: CreationOptional<Date>
  /** The account that created it; null: created with the deployment. */
  createdBy: CreationOptional<string | null>
  allowedAddresses: CreationOptional<string[] | null>
  requestsPerMinute: CreationOptional<number | null>
  permissions: CreationOptional<string[] | null>
  /**
   * Permissions of the scope `write` for a key that names no permissions. Those added by a later version are
   * not included.
   */
  writePermissions: string[]
  /** The first key of its rotations; its own id if it was not rotated. */
  rootId: string
  /** The account that last allowed it to send from stored wallets, if another than the creator. */
  sendsAllowedBy: CreationOptional<string | null>
  /** Its last send from a stored wallet before that needed a permission; null once an owner has decided. */
  sentFromWalletsAt: CreationOptional<Date | null>
  /**
   * Until then it may name addresses of refunds without `refunds:address`; null: made later, or an owner has
   * decided.
   */
  refundAddressUntil: CreationOptional<Date | null>
  expiresAt: CreationOptional<Date | null>
  revokedAt: CreationOptional<Date | null>
  lastUsedAt: CreationOptional<Date | null>
  lastUsedAddress: CreationOptional<string | null>
  /** The key that it was rotated to. */
  replacedBy: CreationOptional<string | null>
}

export const apiKeyModel = defineModel<ApiKey>(
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
    refundAddressUntil: DataTypes.DATE,
    expiresAt: DataTypes.DATE,
    revokedAt: DataTypes.DATE,
    lastUsedAt: DataTypes.DATE,
    lastUsedAddress: DataTypes.TEXT,
    replacedBy: DataTypes.UUID,
  },
  { tableName: 'api_keys', updatedAt: false },
)
