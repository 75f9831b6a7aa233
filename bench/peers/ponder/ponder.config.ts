import { createConfig } from 'ponder'
import { type Address, parseAbi } from 'viem'

const { BENCH_RPC_URLS = '', BENCH_TOKEN, BENCH_FROM_BLOCK, BENCH_TO_BLOCK, DATABASE_URL = '' } = process.env

export default createConfig({
  database: { kind: 'postgres', connectionString: DATABASE_URL },
  chains: { local: { id: 31337, rpc: BENCH_RPC_URLS.split(' ') } },
  contracts: {
    Token: {
      chain: 'local',
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
      address: BENCH_TOKEN as Address,
      startBlock: Number(BENCH_FROM_BLOCK),
      endBlock: Number(BENCH_TO_BLOCK),
    },
  },
})
