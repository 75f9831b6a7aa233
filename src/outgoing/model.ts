import { DataTypes, type InferAttributes, type InferCreationAttributes, type Model, type ModelStatic, type Sequelize } from 'sequelize'

/** What lists of outgoing rows are filtered by; the rows themselves are read by `readOutgoing`. */
export interface OutgoingListed extends Model<InferAttributes<OutgoingListed>, InferCreationAttributes<OutgoingListed>> {
  id: string
  businessId: string
  purpose: string
  chain: string
  walletId: string | null
  symbol: string
  contract: string | null
  status: string
}

export function outgoingModel(sequelize: Sequelize): ModelStatic<OutgoingListed> {
  return (
    (sequelize.models.Outgoing as ModelStatic<OutgoingListed> | undefined) ??
    sequelize.define<OutgoingListed>(
      'Outgoing',
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
      { tableName: 'outgoing', underscored: true, timestamps: false },
    )
  )
}
