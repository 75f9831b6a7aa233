const { BigIntColumn, Entity, IntColumn, PrimaryColumn, StringColumn } = require('@subsquid/typeorm-store')

class Transfer {}

// The output of TypeScript's decorators.
Entity()(Transfer)
Reflect.metadata('design:type', String)(Transfer.prototype, 'id')
PrimaryColumn()(Transfer.prototype, 'id')
StringColumn({ nullable: false })(Transfer.prototype, 'txHash')
IntColumn({ nullable: false })(Transfer.prototype, 'logIndex')
IntColumn({ nullable: false })(Transfer.prototype, 'blockNumber')
StringColumn({ nullable: false })(Transfer.prototype, 'sender')
StringColumn({ nullable: false })(Transfer.prototype, 'recipient')
BigIntColumn({ nullable: false })(Transfer.prototype, 'amount')

module.exports = { Transfer }
