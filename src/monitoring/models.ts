import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
} from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'

/** `known`: the native coin and the tokens that Cowry knows by name; `all`: every token. */
export type MonitoredTokens = 'known' | 'all'

/** A monitored address; its watch has the same id. */
export interface MonitoredAddress
  extends Model<InferAttributes<MonitoredAddress>, InferCreationAttributes<MonitoredAddress>> {
  id: string
  businessId: string
  chain: string
  /** In its family's normal form. */
  address: string
  metadata: Record<string, unknown> | null
  tokens: MonitoredTokens
  createdAt: CreationOptional<Date>
  removedAt: CreationOptional<Date | null>
}

export const monitoredAddressModel = defineModel<MonitoredAddress>(
  'MonitoredAddress',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    chain: DataTypes.TEXT,
    address: DataTypes.TEXT,
    metadata: DataTypes.JSONB,
    tokens: DataTypes.TEXT,
    createdAt: DataTypes.DATE,
    removedAt: DataTypes.DATE,
  },
  { tableName: 'monitored_addresses', updatedAt: false },
)

/**
 * `begun`: accepts no more addresses, and its last block is being determined. `failed`: no node has its
 * blocks.
 * `cancelled`: its addresses were removed before it completed.
 */
export type ImportStatus = 'pending' | 'begun' | 'running' | 'completed' | 'failed' | 'cancelled'

/**
 * Blocks read again for addresses monitored from a height below the cursor. Heights are `bigint`, which
 * Sequelize returns as text.
 */
export interface MonitoringImport
  extends Model<InferAttributes<MonitoringImport>, InferCreationAttributes<MonitoringImport>> {
  id: string
  businessId: string
  chain: string
  fromHeight: string
  toHeight: string
  nextHeight: string
  addresses: number
  found: string
  status: ImportStatus
  lastError: string | null
  createdAt: CreationOptional<Date>
  completedAt: Date | null
}

export const monitoringImportModel = defineModel<MonitoringImport>(
  'MonitoringImport',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    chain: DataTypes.TEXT,
    fromHeight: DataTypes.BIGINT,
    toHeight: DataTypes.BIGINT,
    nextHeight: DataTypes.BIGINT,
    addresses: DataTypes.INTEGER,
    found: DataTypes.BIGINT,
    status: DataTypes.TEXT,
    lastError: DataTypes.TEXT,
    createdAt: DataTypes.DATE,
    completedAt: DataTypes.DATE,
  },
  { tableName: 'monitoring_imports', updatedAt: false },
)
