import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PublicKey } from '@solana/web3.js'
import { unmuxed } from '../../src/chains/stellar/address.ts'
import { addPerson, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { insertMember } from '../support/madeBusiness.ts'
import { makePaidSession, makeRefund } from '../support/madeRefunds.ts'
import { someCollection } from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'

/**
 * Inputs of public bug reports of other projects, with their right answers. `publicCases/requests.json` has
 * those that are one request, and siblings of each. Those of chains and nodes have their tests next to the
 * code:
 *
 * | case                                       | kind                                            | test
 * |
 * | ------------------------------------------ | ----------------------------------------------- |
 * ---------------------------------------------------------------- |
 * | C01 recipient is an unopened token account | a recipient without a key                       |
 * test/e2e/solana.integration.test.ts, below                       |
 * | C03 a node answers slot for height         | a maximum over providers                        |
 * src/chains/solana/send/planTransfer.integration.test.ts               |
 * | C04 an EVM address in capitals             | a form that a standard allows                   |
 * src/chains/codecs.test.ts                                        |
 * | C06 a Tron transaction without contractRet | an absent result                                |
 * src/chains/tron/movements.test.ts                                |
 * | C08 USDT with its fee switched on          | amount requested taken as amount arrived        |
 * src/payouts/tokenFee, src/sweeps/tronSweeps .integration.test.ts |
 * | C10 an empty fee history                   | an optional answer in an odd form               |
 * src/chains/evm/send/planTransfer.integration.test.ts                  |
 * | C12 duplicates in a bulk addition          | duplicates within one request                   | below
 * |
 * | a refund that fails has no event           | an end that is silent                           |
 * test/e2e/refundRequests.integration.test.ts                      |
 * | defaults of generated types, Node 20       | what others make of contract and client         |
 * api/requestValidation.test.ts, client/README.md                  |
 */

interface Right {
  status: number
  textHas?: string
  textLacks?: string
  json?: object
}
interface Case {
  case: string
  request: { method: string; path: string; body?: string; bodyLatin1?: string }
  right: Right[]
}
/** Off the curve, and not on the chain. */
const [unopened] = PublicKey.findProgramAddressSync(
  [randomBytes(16)],
  new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
)
const offCurve = unopened.toBase58()

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, 'publicCases/requests.json'), 'utf8'),
) as Case[]

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'tron', 'solana', 'stellar'], processes: ['api'] })
})
afterAll(() => stack?.close())

async function send({
  method,
  path,
  body,
  bodyLatin1,
}: Case['request']): Promise<{ status: number; text: string }> {
  const root = `http://127.0.0.1:${stack.processes.get('api')?.port()}`
  const sent = bodyLatin1 === undefined ? body : Buffer.from(bodyLatin1, 'latin1')
  const response = await fetch(
    path.startsWith('ROOT') ? root + path.slice('ROOT'.length) : `${root}/api/v1${path}`,
    {
      method,
      headers: {
        'x-api-key': stack.apiKey,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent }),
    },
  )
  return { status: response.status, text: await response.text() }
}

function isRight({ status, text }: { status: number; text: string }, right: Right): boolean {
  if (status !== right.status) return false
  if (right.textHas !== undefined && !text.includes(right.textHas)) return false
  if (right.textLacks !== undefined && text.includes(right.textLacks)) return false
  const body = right.json === undefined ? {} : JSON.parse(text)
  return Object.entries(right.json ?? {}).every(([name, value]) => body[name] === value)
}

test.each(cases.map((each) => [each.case, each] as const))('%s', async (_name, { request, right }) => {
  const { status, text } = await send(request)
  const wrong = { status, text: text.slice(0, 300) }
  expect(right.some((each) => isRight({ status, text }, each)) ? 'right' : wrong).toBe('right')
})

describe('duplicates within one bulk addition count once', () => {
  const [a, b] = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC']
  const tron = ['TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'TNXoiAJ3dct8Fjg4M9fkLFh9S2v9TXc32G']
  const [wallet, account] = [
    '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  ]
  test.each([
    ['tron', [tron[0], tron[1], tron[0]], [true, true, false]],
    ['ethereum', [a, b, a], [true, true, false]],
    ['ethereum', [`0x${'12'.repeat(20)}`, `0x${'12'.repeat(20).toUpperCase()}`], [true, false]],
    ['ethereum', [a, a, b], [false, false, false]],
    ['solana', [wallet, ` ${wallet}\n`], [true, false]],
    ['stellar', [account, ` ${account} `, account], [true, false, false]],
  ])('%s %j', async (chain, addresses, created) => {
    const body = { chain, addresses: addresses.map((address) => ({ address })) }
    const { status, body: answer } = await stack.api<{
      added: number
      existing: number
      addresses: { created: boolean }[]
    }>('POST', '/monitoring/addresses/bulk', body)
    const added = created.filter(Boolean).length
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: { added, existing: created.length - added },
    })
    expect(answer.addresses.map((each) => each.created)).toEqual(created)
  })
})

/** Every field of both contracts that names where money goes, each with all of these. */
describe('what no one can receive is refused at every entrance', () => {
  const chains = ['ethereum', 'tron', 'solana', 'stellar'] as const
  type Chain = (typeof chains)[number]
  const token = { ethereum: 'USDC', tron: 'USDT', solana: 'USDC', stellar: 'USDC' } as const
  const keyless: Record<Chain, string[]> = {
    ethereum: [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(39)}1`,
      `0x${'0'.repeat(37)}100`,
      `0x${'0'.repeat(36)}dEaD`,
      '0xcA11bde05977b3631167028862bE2a173976CA11',
      '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    ],
    tron: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'],
    solana: [
      '1'.repeat(32),
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'SysvarC1ock11111111111111111111111111111111',
      '1nc1nerator11111111111111111111111111111111',
      offCurve,
    ],
    stellar: ['GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
  }
  const tokensOf = (chain: Chain): string[] => {
    if (chain === 'ethereum') return [stack.devnet.usdc, stack.devnet.usdt ?? '']
    if (chain === 'stellar') return [stack.other('stellar').usdc.split(':')[1] ?? '']
    return [chain === 'tron' ? stack.other('tron').usdt : stack.other('solana').usdc]
  }
  const ownOf = async (chain: Chain) => {
    const family = chain === 'ethereum' ? 'evm' : chain
    const [row] = await stack.db.query<{ address: string }>(
      'select address from deposit_addresses where family = $1 limit 1',
      [family],
    )
    const address = row?.address ?? ''
    return chain === 'stellar' ? unmuxed(address).account : address
  }
  const refused = ['recipient_without_key', 'recipient_is_token', 'own_address']
  const answerOf = async (path: string, body: object, headers?: Record<string, string>) => {
    const { status, body: answer } = await stack.api<{ error: string; fields?: { field: string }[] }>(
      'POST',
      path,
      body,
      headers,
    )
    return { status, error: answer.error, field: answer.fields?.[0]?.field }
  }

  const entrances: Record<
    string,
    {
      field: string
      on?: Chain[]
      ask(
        chain: Chain,
        address: string,
      ): Promise<{ status: number; error: string; field: string | undefined }>
    }
  > = {
    'a saved destination': {
      field: 'address',
      ask: (chain, address) => answerOf('/payout-destinations', { chain, address }),
    },
    "a payout's own destination": {
      field: 'destination.address',
      ask: (chain, address) =>
        answerOf('/payouts', {
          amount: '1',
          source: { chain, token: token[chain] },
          destination: { chain, address },
        }),
    },
    'a refund': {
      field: 'toAddress',
      async ask(chain, toAddress) {
        const { id } = await makePaidSession(stack.db, stack.businessId)
        return answerOf(`/pos/sessions/${id}/refunds`, { amount: '1', toAddress, chain, token: token[chain] })
      },
    },
    'a link of a refund': {
      field: 'toAddress',
      on: ['ethereum'],
      async ask(_, toAddress) {
        const { refunded } = await makeRefund(stack.db, stack.businessId)
        const { body } = await stack.api<{ id: string; claimUrl: string }>(
          'POST',
          `/pos/sessions/${refunded}/refunds`,
          {
            amount: '1',
            claim: true,
          },
        )
        const claim = { token: body.claimUrl.split('#')[1], toAddress }
        const answer = await answerOf('/refund-claims', claim, { 'x-api-key': '' })
        // The link still works.
        expect(
          (await stack.api('POST', '/refund-claims/look', { token: claim.token }, { 'x-api-key': '' }))
            .status,
        ).toBe(200)
        return answer
      },
    },
    'a collection': {
      field: 'walletAddress',
      ask: (chain, walletAddress) =>
        answerOf('/fiat-collections', {
          ...someCollection(),
          cryptoNetwork: chain,
          cryptoCurrency: token[chain],
          walletAddress,
          ...(chain === 'stellar' && { memo: '7' }),
        }),
    },
  }

  test.each(
    Object.entries(entrances).flatMap(([name, entrance]) =>
      (entrance.on ?? chains).map((chain) => [name, chain, entrance] as const),
    ),
  )('%s on %s', async (_name, chain, { field, ask }) => {
    for (const address of [...keyless[chain], ...tokensOf(chain), await ownOf(chain)]) {
      const { error, ...answer } = await ask(chain, address)
      expect({ address, ...answer, error: refused.includes(error) ? 'refused' : error }).toEqual({
        address,
        status: 422,
        field,
        error: 'refused',
      })
    }
  })

  test.each(chains)('a transfer on %s', async (chain) => {
    const fromAddress = await ownOf(chain)
    for (const toAddress of [...keyless[chain], ...(chain === 'stellar' ? [] : tokensOf(chain))])
      for (const asset of [token[chain].toLowerCase(), 'native']) {
        const asked = {
          chain,
          fromAddress,
          toAddress,
          amount: '1',
          token: asset,
          ...(chain === 'stellar' && asset !== 'native' && { memo: '7' }),
        }
        const { error, ...answer } = await answerOf('/crypto/transfers/estimate', asked)
        expect({ asked, error: refused.includes(error) ? 'refused' : [error, answer.field] }).toEqual({
          asked,
          error: 'refused',
        })
      }
  })

  test.each(chains)('the list of a key on %s', async (chain) => {
    const person = await addPerson(stack, { operator: false })
    await insertMember(stack.db, stack.businessId, person.id)
    const { headers } = await sessionOf(stack, person)
    const [key] = await stack.db.query<{ id: string }>(
      'select id from api_keys where business_id = $1 limit 1',
      [stack.businessId],
    )
    for (const address of [...keyless[chain].filter((each) => each !== offCurve), ...tokensOf(chain)]) {
      const body = { amounts: null, destinations: [{ chain, address }] }
      const path = `/businesses/${stack.businessId}/keys/${key?.id}/send-limits`
      const { status, body: answer } = await dashboard<{ error: string }>(stack, 'PUT', path, body, headers)
      expect({ address, status, error: refused.includes(answer.error) ? 'refused' : answer }).toEqual({
        address,
        status: 422,
        error: 'refused',
      })
    }
  })
})
