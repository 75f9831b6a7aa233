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
  symbol: string
  contract: string | null
  status: string
}

export const intentModel = defineModel<IntentListed>(
  'Intent',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    purpose: DataTypes.TEXT,
    chain: DataTypes.TEXT,
    walletId: DataTypes.UUID,
    symbol: DataTypes.TEXT,
    contract: DataTypes.TEXT,
    status: DataTypes.TEXT,
  },
  { tableName: 'intents', timestamps: false },
)
