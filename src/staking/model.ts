import { DataTypes, type InferAttributes, type InferCreationAttributes, type Model } from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'

/** Columns that lists of stakes are filtered by; `readStakes` reads the rows. */
export interface StakeListed
  extends Model<InferAttributes<StakeListed>, InferCreationAttributes<StakeListed>> {
  id: string
  businessId: string
  chain: string
  status: string
  createdAt: Date
}

export const stakeModel = defineModel<StakeListed>(
  'Stake',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    chain: DataTypes.TEXT,
    status: DataTypes.TEXT,
    createdAt: DataTypes.DATE,
  },
  { tableName: 'stakes', timestamps: false },
)
