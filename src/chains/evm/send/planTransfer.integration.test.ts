import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bytesToHex, encodeAbiParameters, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../../../test/devnets/evm.ts'
import { answeringContract, putCode } from '../../../../test/support/answeringContract.ts'
import { addressOf, intentOf, keyOf } from '../../../../test/support/evmIntents.ts'
import { type Change, changed, plain, sendingOn } from '../../../../test/support/evmSending.ts'
import type { Action } from '../../action.ts'
import { ProviderError } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import type { Chain } from '../../registry.ts'
import { ActionRefusedError, type Terms } from '../../sending.ts'
import { evmBridgeActions } from './bridgeActions.ts'
import { readTerms } from './transaction.ts'

const gwei = 10n ** 9n
const rich = { key: keyOf(101), address: addressOf(keyOf(101)) }
const poor = { key: keyOf(102), address: addressOf(keyOf(102)) }
const recipient = addressOf(keyOf(103))
const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])
const repeatedDigit = (digit: string) => `0x${digit.repeat(40)}`

let devnet: EvmDevnet
let chain: ReturnType<typeof sendingOn>

beforeAll(async () => {
  devnet = await startEvmDevnet({ chain: 'polygon', blockSeconds: 0 })
  chain = sendingOn(devnet, { name: 'ethereum' })
  await chain.fund(rich.address, 10n ** 20n)
  await chain.call('anvil_dealERC20', rich.address, devnet.usdc, '0xf4240')
  await chain.call('anvil_dealERC20', rich.address, devnet.usdt, '0xf4240')
})
afterAll(async () => {
  await chain?.ctx.providers.close()
  await devnet?.stop()
})

/** The same node with changed answers, or a chain with other rules. */
const other = (rules: Partial<Chain>, change?: Change) =>
  sendingOn(devnet, rules, change ? [changed(devnet.rpcUrl, 'changed', change)] : [plain(devnet.rpcUrl)])

const usdc = (amount: bigint, from = rich.address, to = recipient) =>
  intentOf({ from, to, amount, token: chain.usdc })
const coin = (amount: bigint, from = rich.address, to = recipient) => intentOf({ from, to, amount })

async function refusalOf(
  planned: Promise<unknown>,
): Promise<{ reason: string; field: string | null; message: string }> {
  const error = await planned.then(
    () => new Error('the transfer was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ActionRefusedError)) throw error
  return { reason: error.reason, field: error.field, message: error.message }
}

async function execute(action: Action, key: Hex) {
  const plan = await chain.sender.plan(action)
  const receipt = await send(action, plan.terms, key)
  return {
    plan,
    terms: readTerms(plan.terms),
    receipt,
    paid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
  }
}

async function send(action: Action, terms: Terms, key: Hex) {
  const nonce = BigInt((await chain.call('eth_getTransactionCount', action.from, 'latest')) as string)
  const signed = chain.sign(action, terms, nonce, key)
  await chain.call('eth_sendRawTransaction', bytesToHex(signed.bytes))
  await chain.mine()
  return (await chain.call('eth_getTransactionReceipt', signed.txId)) as Record<
    'status' | 'gasUsed' | 'effectiveGasPrice',
    string
  >
}

test('an allowance is set with its planned gas, also where a fork has taken the one before it back', async () => {
  const bridge = {
    ...chain.ctx.chain,
    cctp: { domain: 0, tokenMessenger: recipient, messageTransmitter: recipient },
  }
  const approval = (amount: bigint) => {
    const action = evmBridgeActions(bridge).approval({ from: rich.address, token: chain.usdc, amount })
    if (!action) throw new Error('an EVM chain has approvals')
    return action
  }
  await execute(approval(5n), rich.key)
  const { terms } = await chain.sender.plan(approval(7n))
  await execute(approval(0n), rich.key)
  expect(await send(approval(7n), terms, rich.key)).toMatchObject({ status: '0x1' })
})

describe('the plan of a transfer', () => {
  test('of the native coin uses exactly the gas of a plain transfer, and costs the expected fee', async () => {
    const { plan, terms, receipt, paid } = await execute(coin(5n), rich.key)
    expect(receipt.status).toBe('0x1')
    expect(terms).toMatchObject({ gas: 21_000n, l1Fee: 0n })
    expect(plan).toMatchObject({ otherCosts: 0n, shortages: [] })
    expect(paid).toBe(plan.fee.expected)
    expect(plan.fee.max).toBe(21_000n * terms.maxFeePerGas)
    expect(chain.builder.maxFee(plan.terms)).toBe(plan.fee.max)
    expect(terms.maxFeePerGas).toBeGreaterThan(
      2n * (BigInt(receipt.effectiveGasPrice) - terms.maxPriorityFeePerGas),
    )
  })

  test('of a token has a gas limit above the estimate, and arrives', async () => {
    const { plan, terms, receipt, paid } = await execute(usdc(7n), rich.key)
    expect(receipt.status).toBe('0x1')
    const used = BigInt(receipt.gasUsed)
    expect(terms.gas).toBeGreaterThan((used * 119n) / 100n)
    expect(terms.gas).toBeLessThan((used * 130n) / 100n)
    expect(paid).toBeLessThanOrEqual(plan.fee.expected)
    expect(plan.fee.expected).toBeLessThan(plan.fee.max)
    expect(
      BigInt(
        (await chain.call(
          'eth_call',
          { to: devnet.usdc, data: `0x70a08231${recipient.slice(2).padStart(64, '0')}` },
          'latest',
        )) as string,
      ),
    ).toBe(7n)
  })

  test('exists for a token that returns nothing, like USDT', async () => {
    const usdt = { contract: devnet.usdt ?? '', symbol: 'USDT', decimals: devnet.decimals }
    expect((await chain.sender.plan({ ...usdc(7n), token: usdt })).shortages).toEqual([])
  })

  test("lists the sender's shortages, of token and native coin", async () => {
    const plan = await chain.sender.plan(usdc(7n, poor.address))
    expect(readTerms(plan.terms).gas).toBe(65_000n)
    expect(plan.shortages).toEqual([
      { kind: 'token', symbol: 'USDC', decimals: 6, required: 7n, available: 0n },
      { kind: 'native', symbol: 'POL', decimals: 18, required: plan.fee.max, available: 0n },
    ])
    expect((await chain.sender.plan(usdc(10n ** 12n))).shortages).toMatchObject([
      { kind: 'token', required: 10n ** 12n },
    ])
    const coins = await chain.sender.plan(coin(7n, poor.address))
    expect(coins.shortages).toMatchObject([{ kind: 'native', required: coins.fee.max + 7n, available: 0n }])
  })

  test('requires amount and maximum fee in native coin, exact to the wei', async () => {
    const { fee } = await chain.sender.plan(coin(1000n))
    for (const [less, shortages] of [
      [0n, 0],
      [1n, 1],
    ] as const) {
      await chain.fund(poor.address, fee.max + 1000n - less)
      expect((await chain.sender.plan(coin(1000n, poor.address))).shortages).toHaveLength(shortages)
    }
    await chain.fund(poor.address, 0n)
  })

  test("has at least the tip that the chain's nodes accept", async () => {
    const tipOn = async (name: Chain['name']) =>
      readTerms((await other({ name }).sender.plan(coin(1n))).terms).maxPriorityFeePerGas
    expect(await tipOn('polygon')).toBeGreaterThanOrEqual(25n * gwei)
    expect(await tipOn('ethereum')).toBeGreaterThanOrEqual(1n)
    const empty: Change = async (method, _, truth) =>
      method === 'eth_feeHistory' ? { baseFeePerGas: ['0x64', '0x32'], reward: [['0x0']] } : truth()
    const termsOn = async (name: Chain['name']) =>
      readTerms((await other({ name }, empty).sender.plan(coin(1n))).terms)
    expect(await termsOn('ethereum')).toMatchObject({
      maxFeePerGas: 100n + 10n ** 6n,
      maxPriorityFeePerGas: 10n ** 6n,
    })
    expect(await termsOn('bsc')).toMatchObject({ maxPriorityFeePerGas: 10n ** 8n })
  })

  test('uses the median of non-zero tips, and the gas price where there is no fee history', async () => {
    const reward = [['0x77359400'], ['0x0'], ['0x3b9aca00'], ['0xb2d05e00'], ['0x0']]
    const history: Change = async (method, _, truth) =>
      method === 'eth_feeHistory' ? { baseFeePerGas: ['0x1', '0x64'], reward } : truth()
    expect(readTerms((await other({ name: 'base' }, history).sender.plan(coin(1n))).terms)).toMatchObject({
      maxPriorityFeePerGas: 2n * gwei,
      maxFeePerGas: 200n + 2n * gwei,
    })
    const without: Change = async (method, params, truth) => {
      if (method === 'eth_feeHistory')
        throw new RpcError(
          'changed: eth_feeHistory',
          -32601,
          'the method eth_feeHistory does not exist/is not available',
        )
      if (method === 'eth_gasPrice') return '0x6fc23ac00'
      return method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { baseFeePerGas: '0x2540be400' }
        : truth()
    }
    expect(readTerms((await other({ name: 'ethereum' }, without).sender.plan(coin(1n))).terms)).toMatchObject(
      {
        maxPriorityFeePerGas: 20n * gwei,
        maxFeePerGas: 2n * 11_250_000_000n + 20n * gwei,
      },
    )
  })

  // Lotus answers like this (filecoin-project/lotus#10414).
  test.each([
    null,
    {},
    { oldestBlock: '0x0', baseFeePerGas: null, gasUsedRatio: null },
    { oldestBlock: '0x0', baseFeePerGas: [], gasUsedRatio: [], reward: [] },
    { baseFeePerGas: ['much'] },
    { baseFeePerGas: ['0x1', null] },
    { baseFeePerGas: '0x1' },
    { baseFeePerGas: 5 },
    { baseFeePerGas: ['0x1', '0x1'], reward: [['much']] },
    { baseFeePerGas: ['0x1', '0x1'], reward: ['0x1'] },
    { baseFeePerGas: ['0x1', '0x1'], reward: 5 },
    { reward: [['0x1']] },
    'much',
    [],
  ])('uses the gas price where the fee history is %j', async (answer) => {
    const odd: Change = async (method, _, truth) => {
      if (method === 'eth_feeHistory') return answer
      return method === 'eth_gasPrice' ? '0x174876e800' : truth()
    }
    const { terms } = await other({ name: 'polygon' }, odd).sender.plan(coin(1n))
    // 100 gwei, less the base fee of the newest block.
    expect(readTerms(terms).maxPriorityFeePerGas).toBeGreaterThan(90n * gwei)
  })

  test.each([[[null]], [[[]]], [[[], null, ['0x0']]]])(
    'uses the minimum tip where the tips are %j',
    async (reward) => {
      const odd: Change = async (method, _, truth) =>
        method === 'eth_feeHistory' ? { baseFeePerGas: ['0x1', '0x1'], reward } : truth()
      const { terms } = await other({ name: 'polygon' }, odd).sender.plan(coin(1n))
      expect(readTerms(terms)).toMatchObject({
        maxPriorityFeePerGas: 25n * gwei,
        maxFeePerGas: 2n + 25n * gwei,
      })
    },
  )

  test("uses the caller's gas price and gas limit, and refuses ones that are too low", async () => {
    const given = await chain.sender.plan({ ...coin(1n), gasPrice: 500n * gwei, gasLimit: 30_000n })
    expect(readTerms(given.terms)).toEqual({
      gas: 30_000n,
      maxFeePerGas: 500n * gwei,
      maxPriorityFeePerGas: 500n * gwei,
      l1Fee: 0n,
    })
    expect(given.fee).toEqual({ expected: 21_000n * 500n * gwei, max: 30_000n * 500n * gwei })
    expect(await refusalOf(chain.sender.plan({ ...coin(1n), gasPrice: 1n }))).toMatchObject({
      reason: 'fee_too_low',
      field: 'gasPrice',
    })
    expect(
      await refusalOf(other({ name: 'polygon' }).sender.plan({ ...coin(1n), gasPrice: 20n * gwei })),
    ).toMatchObject({ reason: 'fee_too_low' })
    for (const transfer of [
      { ...coin(1n), gasLimit: 20_999n },
      { ...usdc(1n), gasLimit: 21_001n },
    ]) {
      expect(await refusalOf(chain.sender.plan(transfer))).toMatchObject({
        reason: 'fee_too_low',
        field: 'gasLimit',
      })
    }
    expect((await chain.sender.plan({ ...coin(1n), gasLimit: 21_000n })).shortages).toEqual([])
  })

  test('includes the L1 data fee of OP stack chains, from their oracle', async () => {
    const [base, optimism] = [other({ name: 'base' }), other({ name: 'optimism' })]
    const {
      terms: plainTerms,
      fee: { expected: without },
    } = await base.sender.plan(usdc(1n))
    expect(readTerms(plainTerms).l1Fee).toBe(0n)
    const oracle = '0x420000000000000000000000000000000000000f'
    await putCode(devnet.rpcUrl, oracle, answeringContract({ 'getL1Fee(bytes)': { answers: word(4001n) } }))
    for (const { sender, builder } of [base, optimism]) {
      const { terms, fee } = await sender.plan(usdc(1n))
      const read = readTerms(terms)
      expect(read.l1Fee).toBe(5002n)
      expect(fee.max).toBe(read.gas * read.maxFeePerGas + 5002n)
      expect(builder.maxFee(terms)).toBe(fee.max)
      expect(fee.expected - without).toBe(4001n)
    }
    expect(readTerms((await chain.sender.plan(usdc(1n))).terms).l1Fee).toBe(0n)
    await putCode(devnet.rpcUrl, oracle, answeringContract({}))
    expect(readTerms((await base.sender.plan(usdc(1n))).terms).l1Fee).toBe(0n)
  })
})

describe('the operator fee of OP stack chains', () => {
  const oracle = '0x420000000000000000000000000000000000000f'
  const [scalar, constant] = [1_439_103_868n, 1_256_417_826_609_331_460n]
  const pushed = (value: bigint) => `7f${word(value).slice(2)}`
  /** The oracle's formula in EVM code: `gasUsed * factor / divisor + constant`. */
  const oracleOf = (factor: bigint, divisor: bigint) =>
    answeringContract({
      'getOperatorFee(uint256)': {
        runs: `0x600435${pushed(factor)}02${pushed(divisor)}9004${pushed(constant)}0160005260206000f3`,
      },
    })
  afterAll(() => putCode(devnet.rpcUrl, oracle, answeringContract({})))

  test.each([
    ['Isthmus', oracleOf(scalar, 1_000_000n), (gas: bigint) => (gas * scalar) / 1_000_000n + constant],
    ['Jovian', oracleOf(scalar * 100n, 1n), (gas: bigint) => gas * scalar * 100n + constant],
  ])(
    'is in estimates, by the formula of %s: for the gas limit in the maximum',
    async (_fork, code, feeOf) => {
      const optimism = other({ name: 'optimism', jovianTime: 1_764_691_201 })
      await putCode(devnet.rpcUrl, oracle, answeringContract({}))
      const { fee: without } = await optimism.sender.plan(coin(1n))
      await putCode(devnet.rpcUrl, oracle, code)
      const { terms, fee } = await optimism.sender.plan(coin(1n))
      const read = readTerms(terms)
      expect(fee.expected - without.expected).toBe(feeOf(21_000n))
      expect(read.l1Fee).toBe((feeOf(read.gas) * 5n + 3n) / 4n)
      expect(fee.max).toBe(read.gas * read.maxFeePerGas + read.l1Fee)
      expect(await chain.sender.plan(coin(1n))).toMatchObject({ fee: { expected: without.expected } })
    },
  )
})

describe('a transfer is refused', () => {
  test('to a token contract, known or recognised by its answers', async () => {
    for (const to of [devnet.usdc, devnet.usdt, devnet.bridgedUsdc, devnet.fakeUsdc]) {
      for (const transfer of [usdc(1n, rich.address, to ?? ''), coin(1n, rich.address, to ?? '')]) {
        expect(await refusalOf(chain.sender.plan(transfer))).toMatchObject({
          reason: 'recipient_is_token',
          field: 'toAddress',
        })
      }
    }
    const own = {
      ...usdc(1n, rich.address, devnet.fakeUsdc),
      token: { contract: devnet.fakeUsdc, symbol: 'USDC', decimals: 6 },
    }
    expect(await refusalOf(chain.sender.plan(own))).toMatchObject({ reason: 'recipient_is_token' })
  })

  test('of a token that keeps a part of each transfer, as Tether’s contract can', async () => {
    const contract = repeatedDigit('f')
    const fee = (rate: bigint, max: bigint) =>
      putCode(
        devnet.rpcUrl,
        contract,
        answeringContract({
          'basisPointsRate()': { answers: word(rate) },
          'maximumFee()': { answers: word(max) },
          'balanceOf(address)': { answers: word(100_000_000n) },
          'transfer(address,uint256)': { answers: word(1n) },
        }),
      )
    const token = { contract, symbol: 'USDT', decimals: 6 }
    const transfer = { ...usdc(40_000_000n), token }
    await fee(10n, 20_000_000n)
    const why = {
      reason: 'token_takes_fee',
      field: 'token',
      message: expect.stringContaining('0.04 of 40 USDT'),
    }
    expect(await refusalOf(chain.sender.plan(transfer))).toMatchObject(why)
    await fee(0n, 20_000_000n)
    expect((await chain.sender.plan(transfer)).shortages).toEqual([])
  })

  test('but not to another contract that accepts it', async () => {
    expect((await chain.sender.plan(usdc(1n, rich.address, devnet.batch))).shortages).toEqual([])
    const nft = repeatedDigit('c')
    await putCode(devnet.rpcUrl, nft, answeringContract({ 'totalSupply()': { answers: word(10n) } }))
    expect((await chain.sender.plan(usdc(1n, rich.address, nft))).shortages).toEqual([])
    const plan = await chain.sender.plan(coin(1n, rich.address, devnet.forwarder))
    expect(readTerms(plan.terms).gas).toBeGreaterThan(21_000n)
  })

  test('to the zero address, or one that burns', async () => {
    const why = { reason: 'recipient_without_key', field: 'toAddress' }
    for (const to of [repeatedDigit('0'), `0x${'0'.repeat(36)}dead`]) {
      expect(await refusalOf(chain.sender.plan(coin(1n, rich.address, to)))).toMatchObject(why)
      expect(await refusalOf(chain.sender.plan(usdc(1n, rich.address, to)))).toMatchObject(why)
    }
  })

  test('of the native coin to a contract that does not accept it', async () => {
    expect(await refusalOf(chain.sender.plan(coin(1n, rich.address, devnet.batch)))).toMatchObject({
      reason: 'simulation_failed',
    })
  })

  test.each([
    [
      'that reverts, with its reason',
      { reverts: encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Pausable: paused'] }) },
      'The transfer would fail: Pausable: paused',
    ],
    [
      'that reverts without a reason',
      { reverts: '0x' as const },
      'The transfer would fail: execution reverted',
    ],
    ['that returns false', { answers: word(0n) }, 'The transfer would fail: the token returned false'],
    ['that runs out of gas', { runs: '0xfe' as const }, 'The transfer would fail: '],
  ])('of a token %s', async (_what, answer, message) => {
    const contract = repeatedDigit('b')
    await putCode(
      devnet.rpcUrl,
      contract,
      answeringContract({
        'balanceOf(address)': { answers: word(10n) },
        'transfer(address,uint256)': answer,
      }),
    )
    const transfer = { ...usdc(1n), token: { contract, symbol: 'BAD', decimals: 6 } }
    const refusal = await refusalOf(chain.sender.plan(transfer))
    expect(refusal).toMatchObject({ reason: 'simulation_failed', field: null })
    expect(refusal.message).toContain(message)
    expect(refusal.message.length).toBeLessThan(250)
  })

  test('by the first provider that answers, and does not count as its failure', async () => {
    for (let i = 0; i < 10; i++) await refusalOf(chain.sender.plan(coin(1n, rich.address, devnet.batch)))
    expect(chain.ctx.providers.states()).toMatchObject([{ open: false }])
    const broken: Change = async () => {
      throw new ProviderError('broken: no route')
    }
    const second = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'broken', broken), plain(devnet.rpcUrl)])
    expect(await refusalOf(second.sender.plan(coin(1n, rich.address, devnet.batch)))).toMatchObject({
      reason: 'simulation_failed',
    })
  })

  test.each([
    ['eth_getBalance', null],
    ['eth_getBalance', 5],
    ['eth_getCode', null],
    ['eth_estimateGas', 'much'],
    ['eth_call', '0x'],
  ])(
    'only by valid answers: where %s has an invalid one, the next provider is used',
    async (method, answer) => {
      const invalid: Change = async (asked, _, truth) => (asked === method ? answer : truth())
      await expect(other({}, invalid).sender.plan(usdc(1n))).rejects.toThrow(ProviderError)
      const second = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'wrong', invalid), plain(devnet.rpcUrl)])
      expect((await second.sender.plan(usdc(1n))).shortages).toEqual([])
    },
  )
})
