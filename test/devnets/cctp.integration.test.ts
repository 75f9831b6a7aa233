import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseAbi,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { attest, fill, messagesSent, withField } from './attest.ts'
import { cctpDomains, feeRecipient, messageTransmitter, startCctp, tokenMessenger, word } from './cctp.ts'
import { devnetChain, type EvmDevnet, startEvmDevnet } from './evm.ts'

const abi = parseAbi([
  'function approve(address, uint256) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function depositForBurn(uint256 amount, uint32 domain, bytes32 recipient, address token, bytes32 caller, uint256 maxFee, uint32 minFinality)',
  'function receiveMessage(bytes message, bytes attestation) returns (bool)',
  'function usedNonces(bytes32) view returns (uint256)',
])

let base: EvmDevnet
let polygon: EvmDevnet
beforeAll(async () => {
  ;[base, polygon] = await Promise.all([
    startEvmDevnet({ chain: 'base', blockSeconds: 0 }),
    startEvmDevnet({ chain: 'polygon', blockSeconds: 0 }),
  ])
  await startCctp([base, polygon])
})
afterAll(async () => {
  await Promise.all([base?.stop(), polygon?.stop()])
})

const account = (devnet: EvmDevnet) => privateKeyToAccount(devnet.faucetPrivateKey)
const reader = ({ chain, rpcUrl }: EvmDevnet) =>
  createPublicClient({ chain: devnetChain(chain, rpcUrl), transport: http(rpcUrl) })

async function write(
  devnet: EvmDevnet,
  address: Address,
  functionName: 'approve' | 'depositForBurn' | 'receiveMessage',
  args: unknown[],
): Promise<Hex> {
  const { chain, rpcUrl } = devnet
  const wallet = createWalletClient({
    account: account(devnet),
    chain: devnetChain(chain, rpcUrl),
    transport: http(rpcUrl),
  })
  const client = reader(devnet)
  await client.simulateContract({ abi, address, functionName, args, account: account(devnet) } as never)
  const hash = await wallet.writeContract({ abi, address, functionName, args, gas: 500_000n } as never)
  await client.request({ method: 'evm_mine' } as never)
  expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
  return hash
}

const read = (devnet: EvmDevnet, functionName: 'balanceOf' | 'totalSupply', args: [] | [Address]) =>
  reader(devnet).readContract({ abi, address: devnet.usdc, functionName, args } as never) as Promise<bigint>

test('USDC burnt on base is minted on polygon, less the fee, once, and only as the attesters signed it', async () => {
  const recipient = privateKeyToAccount(keccak256(toHex('somebody'))).address
  const amount = 5_000_000n
  const supplies = async () =>
    [await read(base, 'totalSupply', []), await read(polygon, 'totalSupply', [])] as const
  const before = await supplies()
  await write(base, base.usdc, 'approve', [tokenMessenger, amount])
  const burn = [amount, cctpDomains.polygon, word(recipient), base.usdc, toHex(0, { size: 32 }), 500n, 1000]
  const txHash = await write(base, tokenMessenger, 'depositForBurn', burn)
  const [sent] = (await messagesSent(base.rpcUrl, txHash)) ?? []
  const nonce = keccak256(txHash)
  const message = fill(sent?.message ?? '0x', { nonce, executed: 1000, fee: 321n, expirationBlock: 0n })
  const attestation = await attest(message)

  const forged = withField(message, 'amount', amount + 1n)
  await expect(write(polygon, messageTransmitter, 'receiveMessage', [forged, attestation])).rejects.toThrow(
    'Invalid signature',
  )
  const expired = withField(message, 'expirationBlock', 1n)
  await expect(
    write(polygon, messageTransmitter, 'receiveMessage', [expired, await attest(expired)]),
  ).rejects.toThrow('Message expired')
  await write(polygon, messageTransmitter, 'receiveMessage', [message, attestation])
  await expect(write(polygon, messageTransmitter, 'receiveMessage', [message, attestation])).rejects.toThrow(
    'Nonce already used',
  )

  const after = await supplies()
  expect(await read(polygon, 'balanceOf', [recipient])).toBe(amount - 321n)
  expect(await read(polygon, 'balanceOf', [feeRecipient])).toBe(321n)
  expect([after[0] - before[0], after[1] - before[1]]).toEqual([-amount, amount])
})
