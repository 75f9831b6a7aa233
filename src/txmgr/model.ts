import { DataTypes, type InferAttributes, type InferCreationAttributes, type Model } from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'

/** Columns that lists of intents are filtered by; `readIntents` reads the rows. */
export interface IntentListed
  extends Model<InferAttributes<IntentListed>, InferCreationAttributes<IntentListed>> {
  id: string
  businessId: string
  purpose: string
  chain: string
  walletId: string | null
  fromAddress: string
  toAddress: string | null
  symbol: string
  contract: string | null
  status: string
  createdAt: Date
}

export const intentModel = defineModel<IntentListed>(
  'Intent',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    purpose: DataTypes.TEXT,
    chain: DataTypes.TEXT,
    walletId: DataTypes.UUID,
    fromAddress: DataTypes.TEXT,
    toAddress: DataTypes.TEXT,
    symbol: DataTypes.TEXT,
    contract: DataTypes.TEXT,
    status: DataTypes.TEXT,
    createdAt: DataTypes.DATE,
  },
  { tableName: 'intents', timestamps: false },
)
