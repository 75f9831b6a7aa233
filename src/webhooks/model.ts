import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from 'sequelize'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One event on its way to one endpoint: the specification's webhook delivery record. */
export interface WebhookDelivery extends Model<InferAttributes<WebhookDelivery>, InferCreationAttributes<WebhookDelivery>> {
  id: string
  /** The event's time, which the table will be partitioned by. */
  createdAt: Date
  eventId: string
  businessId: string
  endpointId: string | null
  type: string
  chain: string
  address: string
  symbol: string
  amount: string
  txId: string | null
  status: CreationOptional<DeliveryStatus>
  attemptsCount: CreationOptional<number>
  deliveredAt: CreationOptional<Date | null>
}

export function deliveryModel(sequelize: Sequelize): ModelStatic<WebhookDelivery> {
  return (
    (sequelize.models.WebhookDelivery as ModelStatic<WebhookDelivery> | undefined) ??
    sequelize.define<WebhookDelivery>(
      'WebhookDelivery',
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        createdAt: { type: DataTypes.DATE, primaryKey: true },
        eventId: DataTypes.UUID,
        businessId: DataTypes.UUID,
        endpointId: DataTypes.UUID,
        type: DataTypes.TEXT,
        chain: DataTypes.TEXT,
        address: DataTypes.TEXT,
        symbol: DataTypes.TEXT,
        amount: DataTypes.TEXT,
        txId: DataTypes.TEXT,
        status: DataTypes.TEXT,
        attemptsCount: DataTypes.INTEGER,
        deliveredAt: DataTypes.DATE,
      },
      { tableName: 'webhook_deliveries', underscored: true, timestamps: false },
    )
  )
}
