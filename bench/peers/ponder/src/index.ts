import { ponder } from 'ponder:registry'
import { transfer } from 'ponder:schema'

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(transfer).values({
    id: `${event.block.number}-${event.log.logIndex}`,
    txHash: event.transaction.hash,
    logIndex: event.log.logIndex,
    blockNumber: Number(event.block.number),
    sender: event.args.from,
    recipient: event.args.to,
    amount: event.args.value,
  })
})
