const { event, indexed } = require('@subsquid/evm-abi')
const { address, uint256 } = require('@subsquid/evm-codec')
const { EvmBatchProcessor } = require('@subsquid/evm-processor')
const { TypeormDatabase } = require('@subsquid/typeorm-store')
const { Transfer } = require('./lib/model')

const { BENCH_RPC_URL, BENCH_TOKEN, BENCH_FROM_BLOCK, BENCH_TO_BLOCK, BENCH_STORE } = process.env

const transfer = event(
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  'Transfer(address,address,uint256)',
  {
    from: indexed(address),
    to: indexed(address),
    value: uint256,
  },
)

const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url: BENCH_RPC_URL })
  .setFinalityConfirmation(75)
  .setBlockRange({ from: Number(BENCH_FROM_BLOCK), to: Number(BENCH_TO_BLOCK) })
  .addLog({ address: [BENCH_TOKEN], topic0: [transfer.topic] })
  .setFields({ log: { topics: true, data: true, transactionHash: true } })

processor.run(new TypeormDatabase({ supportHotBlocks: true }), async (context) => {
  const transfers = []
  for (const block of context.blocks) {
    for (const log of block.logs) {
      const { from, to, value } = transfer.decode(log)
      transfers.push(
        Object.assign(new Transfer(), {
          id: `${block.header.height}-${log.logIndex}`,
          txHash: log.transactionHash,
          logIndex: log.logIndex,
          blockNumber: block.header.height,
          sender: from,
          recipient: to,
          amount: value,
        }),
      )
    }
  }
  await (BENCH_STORE === 'bulk' ? insertInBulk(context.store, transfers) : context.store.insert(transfers))
})

/** One statement with an array per column: TypeORM's query builder takes most of the time otherwise. */
async function insertInBulk(store, transfers) {
  const column = (name) => transfers.map((transfer) => transfer[name])
  await store.em().query(
    `insert into transfer (id, tx_hash, log_index, block_number, sender, recipient, amount)
     select * from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::numeric[])`,
    [
      column('id'),
      column('txHash'),
      column('logIndex'),
      column('blockNumber'),
      column('sender'),
      column('recipient'),
      column('amount').map((amount) => amount.toString()),
    ],
  )
}
