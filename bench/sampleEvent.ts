/** `data` of a `transaction.detected`, as the settlement of a session records it. */
export const sampleEvent = {
  id: '01930000-0000-7000-8000-000000000000',
  chain: 'ethereum',
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  symbol: 'USDC',
  amount: '100',
  txId: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  from: '0x4F27eAD9083C756Cc2C02aaA39b223FE8D0A0e5C',
  blockHeight: 30_000_000,
  blockTime: '2026-01-01T00:00:00.000Z',
  exception: 'none',
  sessionId: '01930000-0000-7000-8000-000000000001',
  reference: null,
}
