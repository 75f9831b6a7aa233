import { describe, expect, test } from '@jest/globals'
import type { Call, CallsSpec } from '../../action.ts'
import type { Burn } from '../../bridging.ts'
import type { MessageHex } from '../../cctpMessage.ts'
import { solanaBridgeActions } from './bridgeActions.ts'

/**
 * Instructions that Anchor's client makes of Circle's published IDL and example
 * (circlefin/solana-cctp-contracts, `examples/v2`).
 */
const published = {
  depositForBurn: {
    program: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
    accounts: [
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 s',
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 sw',
      '45hzrGLQ2EGo1Ln7QpXjDwb589GDQ9H2aEXXw6ds6BFE',
      '3wvJdyFnGvaMWpbq93NU91SggiVRveULUXL6iX5VZDGP w',
      'E3Xqru8YwphjTCrScDZiEkkXFhUaZq8DvauQjs2q86MU',
      'W1k5ijkaSTo5iA5zChNpfzcy796fLhkBxfmJuR8W8HU w',
      'AawthJCGRmggpfv9MMWV6Jmo9cue4gL9wUZgRBShg58W',
      'BwmDYtQ7jFj8ddaTmKa7fz9hyuK9n58mvc8G7DYNcKjM',
      'E1bQJ8eMMn3zmeSewW3HQ8zmJr7KR75JonbwAtWx2bux',
      'CRBBbuLCyrkQy4dCTHxqstSmDQv4ajBeUVb9qUdMVaP1 w',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v w',
      '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu sw',
      'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      '11111111111111111111111111111111',
      '6TCCnJ9R1m1RXFzyoH7GYH2J6NJDtZaUvfipPuLWxHNd',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
    ],
    data: [
      'd73c3d2e723780b087d61200000000000600000000000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc',
      '79c800000000000000000000000000000000000000000000000000000000000000004101000000000000e8030000',
    ].join(''),
  },
  depositForBurnWithHook: {
    program: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
    accounts: [
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 s',
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 sw',
      '45hzrGLQ2EGo1Ln7QpXjDwb589GDQ9H2aEXXw6ds6BFE',
      '3wvJdyFnGvaMWpbq93NU91SggiVRveULUXL6iX5VZDGP w',
      'E3Xqru8YwphjTCrScDZiEkkXFhUaZq8DvauQjs2q86MU',
      'W1k5ijkaSTo5iA5zChNpfzcy796fLhkBxfmJuR8W8HU w',
      'AawthJCGRmggpfv9MMWV6Jmo9cue4gL9wUZgRBShg58W',
      'BwmDYtQ7jFj8ddaTmKa7fz9hyuK9n58mvc8G7DYNcKjM',
      'E1bQJ8eMMn3zmeSewW3HQ8zmJr7KR75JonbwAtWx2bux',
      'CRBBbuLCyrkQy4dCTHxqstSmDQv4ajBeUVb9qUdMVaP1 w',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v w',
      '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu sw',
      'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      '11111111111111111111111111111111',
      '6TCCnJ9R1m1RXFzyoH7GYH2J6NJDtZaUvfipPuLWxHNd',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
    ],
    data: [
      '6ff53e83cc6cdf9b87d61200000000000600000000000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc',
      '79c800000000000000000000000000000000000000000000000000000000000000004101000000000000e803000020000000',
      '636374702d666f72776172640000000000000000000000000000000000000000',
    ].join(''),
  },
  receiveMessage: {
    program: 'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
    accounts: [
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 sw',
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 s',
      'DsAdX23SVpTPYhKP2ua1mx8gTPqLyzx7a43cyxYjS2up',
      'W1k5ijkaSTo5iA5zChNpfzcy796fLhkBxfmJuR8W8HU',
      'HT9iC7p9TPj7G77rcnpbYHxTcb9JNBw5JM7gsC9fuTSn w',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
      '11111111111111111111111111111111',
      '2PcXTomVAbX5Es1NUZUkxwuCm8tvV4NmRk3fmQWFCWoV',
      'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
      'AawthJCGRmggpfv9MMWV6Jmo9cue4gL9wUZgRBShg58W',
      'BwmDYtQ7jFj8ddaTmKa7fz9hyuK9n58mvc8G7DYNcKjM',
      'E1bQJ8eMMn3zmeSewW3HQ8zmJr7KR75JonbwAtWx2bux w',
      'CRBBbuLCyrkQy4dCTHxqstSmDQv4ajBeUVb9qUdMVaP1 w',
      '3udrkuozTYGBVMyMdxmXWVTUrnpmSh7kEZiq67A8jTws',
      'DNDTCnZkNk358qDFZd9unHtnrc73SsXcpVWtwJJMrR4B w',
      'FHPASu6WrzXmbm5NbAQy9BxwX5naUHKn5z8ycurGoSX w',
      '6xTBTqJMBr5m7BKqVxmW2x11DfqUwtD3TJsqpxELx72L w',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      '6TCCnJ9R1m1RXFzyoH7GYH2J6NJDtZaUvfipPuLWxHNd',
      'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
    ],
    data: [
      '26907fe11fe1ee1978010000000000010000000600000005abababababababababababababababababababababababababab',
      'abababababab00000000000000000000000028b5a0e9c621a5badaa536219b3a228c8168cf5da65fc81d0fefa8860cb3b83f',
      '089b0224be8a6687b7ae49f594c0b9b4d7e93893000000000000000000000000000000000000000000000000000000000000',
      '0000000003e8000003e800000001000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291303a8a796',
      'f9bc0b1e8f53a8e3be0750a852b729e4b88267422379d6d885431ee800000000000000000000000000000000000000000000',
      '000000000000004c4b4000000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000',
      '0000000000000000000000000000000000000000000002bc0000000000000000000000000000000000000000000000000000',
      '00000000028a000000000000000000000000000000000000000000000000000000000000000082000000cdcdcdcdcdcdcdcd',
      'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
      'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
      'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
    ].join(''),
  },
  reclaimEventAccount: {
    program: 'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
    accounts: [
      'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9 sw',
      'W1k5ijkaSTo5iA5zChNpfzcy796fLhkBxfmJuR8W8HU w',
      '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu w',
    ],
    data: [
      '5ec6b49f83ec0fae82000000cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
      'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
      'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd7801000000000001',
      '0000000600000005abababababababababababababababababababababababababababababababab00000000000000000000',
      '000028b5a0e9c621a5badaa536219b3a228c8168cf5da65fc81d0fefa8860cb3b83f089b0224be8a6687b7ae49f594c0b9b4',
      'd7e938930000000000000000000000000000000000000000000000000000000000000000000003e8000003e8000000010000',
      '00000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291303a8a796f9bc0b1e8f53a8e3be0750a852b729e4',
      'b88267422379d6d885431ee800000000000000000000000000000000000000000000000000000000004c4b40000000000000',
      '00000000000070997970c51812dc3a010c7d01b50e0d17dc79c8000000000000000000000000000000000000000000000000',
      '00000000000002bc000000000000000000000000000000000000000000000000000000000000028a00000000000000000000',
      '00000000000000000000000000000000000000000000',
    ].join(''),
  },
}

const owner = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
const eventAccount = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'
const feeAccount = published.receiveMessage.accounts[14]?.split(' ')[0] ?? ''
const recipient = 'EdmxWPmx2WH6WgFfTdu9xfkYf3k1g5wD1zccTVySEEh1'
const usdc = { contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', decimals: 6 }
const attestation: MessageHex = `0x${'cd'.repeat(130)}`
const message: MessageHex = `0x${[
  '000000010000000600000005abababababababababababababababababababababababababababababababab000000000000',
  '00000000000028b5a0e9c621a5badaa536219b3a228c8168cf5da65fc81d0fefa8860cb3b83f089b0224be8a6687b7ae49f5',
  '94c0b9b4d7e938930000000000000000000000000000000000000000000000000000000000000000000003e8000003e80000',
  '0001000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291303a8a796f9bc0b1e8f53a8e3be0750a8',
  '52b729e4b88267422379d6d885431ee800000000000000000000000000000000000000000000000000000000004c4b400000',
  '0000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000000000000000000000000000',
  '0000000000000000000002bc000000000000000000000000000000000000000000000000000000000000028a000000000000',
  '0000000000000000000000000000000000000000000000000000',
].join('')}`

const cctp = {
  domain: 5,
  tokenMessenger: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
  messageTransmitter: 'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
}
const actions = solanaBridgeActions({ name: 'solana', family: 'solana', network: 'any', cctp })
const burn: Burn = {
  from: owner,
  token: usdc,
  amount: 1_234_567n,
  destinationDomain: 6,
  mintRecipient: '0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8',
  maxFee: 321n,
  speed: 'fast',
  hook: '0x',
  eventAccount,
}
const signed = { message, attestation, to: { owner: recipient, token: usdc, feeAccount } }

const shown = (call: Call | undefined) => ({
  program: call?.to,
  accounts: call?.accounts.map(({ address, signer, writable }) =>
    [address, `${signer ? 's' : ''}${writable ? 'w' : ''}`].filter(Boolean).join(' '),
  ),
  data: Buffer.from(call?.data ?? '', 'base64').toString('hex'),
})
const lastOf = ({ calls }: CallsSpec) => shown(calls.at(-1))

describe("instructions are those of Circle's published client", () => {
  test('deposit_for_burn', () => {
    const action = actions.burn(burn)
    expect(lastOf(action)).toEqual(published.depositForBurn)
    expect(action).toMatchObject({
      cosigners: [eventAccount],
      spends: [{ address: owner, token: usdc, amount: 1_234_567n }],
    })
  })

  test('deposit_for_burn_with_hook', () => {
    const hook: MessageHex = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`
    expect(lastOf(actions.burn({ ...burn, hook }))).toEqual(published.depositForBurnWithHook)
  })

  test('receive_message, after the one that makes the token account of its recipient', () => {
    const action = actions.mint(owner, signed)
    expect(lastOf(action)).toEqual(published.receiveMessage)
    expect(actions.feeAccountOf?.(action)).toBe(feeAccount)
    const [opened] = action.calls
    expect(opened).toMatchObject({
      to: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      data: Buffer.of(1).toString('base64'),
    })
    expect(opened?.accounts.map(({ address }) => address)).toContain(recipient)
  })

  test('reclaim_event_account', () => {
    expect(actions.reclaim && lastOf(actions.reclaim(owner, eventAccount, signed))).toEqual(
      published.reclaimEventAccount,
    )
  })
})

test('a burn mints to the token account of its recipient, who may be a vault off the curve', () => {
  const word = actions.recipientOf?.(recipient, usdc)
  expect(word).toBe(`0x${message.slice(2 + 2 * 184, 2 + 2 * 216)}`)
  const [offCurve = ''] = published.receiveMessage.accounts.slice(2)
  expect(actions.recipientOf?.(offCurve, usdc)).toMatch(/^0x[0-9a-f]{64}$/)
})

test('a message to another token account than that of the recipient is not minted', () => {
  expect(() => actions.mint(owner, { ...signed, to: { ...signed.to, owner } })).toThrow('another account')
  expect(() => actions.mint(owner, { message, attestation })).toThrow('its recipient')
  const { eventAccount: _, ...withoutAccount } = burn
  expect(() => actions.burn(withoutAccount)).toThrow('needs an account')
})
