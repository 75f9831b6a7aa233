const { Token } = require('generated')

Token.Transfer.handler(async ({ event, context }) => {
  context.Transfer.set({
    id: `${event.block.number}-${event.logIndex}`,
    tx_hash: event.transaction.hash,
    log_index: event.logIndex,
    block_number: event.block.number,
    sender: event.params.from,
    recipient: event.params.to,
    amount: event.params.value,
  })
})
