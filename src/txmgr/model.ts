import { DataTypes, type InferAttributes, type InferCreationAttributes, type Model, type ModelStatic, type Sequelize } from 'sequelize'

/** Columns that lists of intents are filtered by; `readIntents` reads the rows. */
export interface IntentListed extends Model<InferAttributes<IntentListed>, InferCreationAttributes<IntentListed>> {
  id: string
  businessId: string
  purpose: string
  chain: string
  walletId: string | null
  symbol: string
  contract: string | null
  status: string
}

export function intentModel(sequelize: Sequelize): ModelStatic<IntentListed> {
  return (
    (sequelize.models.Intent as ModelStatic<IntentListed> | undefined) ??
    sequelize.define<IntentListed>(
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
      { tableName: 'intents', underscored: true, timestamps: false },
    )
  )
}
