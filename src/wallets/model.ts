import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
} from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'

/** A wallet that a business has stored. Its secret is sealed: this process cannot open it. */
export interface Wallet extends Model<InferAttributes<Wallet>, InferCreationAttributes<Wallet>> {
  id: string
  businessId: string
  chain: string
  /** Normal form of the family. */
  address: string
  publicKey: string
  name: string | null
  source: 'private_key' | 'mnemonic'
  derivationPath: string | null
  /** The key pair that it is sealed to. */
  keyId: string
  /** Write-only: the api's role may not read it. */
  sealed: CreationOptional<Buffer>
  createdAt: CreationOptional<Date>
  archivedAt: CreationOptional<Date | null>
}

export const walletModel = defineModel<Wallet>(
  'Wallet',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    chain: DataTypes.TEXT,
    address: DataTypes.TEXT,
    publicKey: DataTypes.TEXT,
    name: DataTypes.TEXT,
    source: DataTypes.TEXT,
    derivationPath: DataTypes.TEXT,
    keyId: DataTypes.UUID,
    sealed: DataTypes.BLOB,
    createdAt: DataTypes.DATE,
    archivedAt: DataTypes.DATE,
  },
  { tableName: 'wallets', updatedAt: false, defaultScope: { attributes: { exclude: ['sealed'] } } },
)
