import { describe, expect, test } from '@jest/globals'
import { type Block, ProviderError, type Transfer } from './chain.ts'
import { createLateAnswers, createProviders, type Endpoint } from './providers/providers.ts'
import { crossCheckBy, headBy, readPrefix } from './reading.ts'

const header = (height: number) => ({
  height,
  id: `id ${height}`,
  parentId: `id ${height - 1}`,
  time: new Date(height),
})
const transfer = (more: Partial<Transfer> = {}): Transfer => ({
  txId: 'one',
  movementKey: 'log:0',
  contract: 'token',
  from: 'a',
  to: 'b',
  amount: 5n,
  ...more,
})
const block = (height: number, transfers: Transfer[] = []): Block => ({
  ...header(height),
  transfers,
  source: 'x',
  traced: true,
})
const missing = async (height: number): Promise<Block> => {
  throw new ProviderError(`no ${height}`)
}

test('the head is the highest that nodes report, without one that is far above all others: its node is doubted', async () => {
  const heads = [header(3), header(5), header(4), header(10 ** 9)].map((each) => ({
    ...each,
    time: new Date(),
  }))
  const endpoints = heads.map((head, index) => ({ name: `node ${index}`, head, close: async () => {} }))
  const providers = createProviders(
    endpoints.map((each) => () => each),
    { observe: { called: () => {}, refused: () => {} } },
  )
  expect(await headBy(providers, async ({ head }) => head, createLateAnswers())).toEqual(heads[1])
  expect(providers.states().flatMap(({ name, open }) => (open ? [name] : []))).toEqual(['node 3'])
  await providers.close()
})

describe('several blocks', () => {
  test('are those before the first that failed, in order, for any order of answers', async () => {
    const read = async (height: number) => {
      for (let turns = 10 - height; turns > 0; turns--) await Promise.resolve()
      return height === 5 ? missing(height) : block(height)
    }
    expect((await readPrefix(2, 8, read)).map(({ height }) => height)).toEqual([2, 3, 4])
  })

  test('with a failed first block throw its error', async () => {
    await expect(readPrefix(2, 4, missing)).rejects.toThrow('no 2')
  })

  test('are not returned after any other error: it is not the end of the chain', async () => {
    const read = async (height: number) => {
      if (height === 4) throw new TypeError('a programming error')
      return block(height)
    }
    await expect(readPrefix(2, 6, read)).rejects.toThrow(TypeError)
  })
})

describe('a cross-check', () => {
  const ask = (
    theirs: Transfer[] | null | Error,
    ours: Transfer[],
    { id = 'id 7', isCompared = (_: Transfer): boolean => true, source = 'a' } = {},
  ) => {
    const providers = createProviders<Endpoint>(
      ['a', 'b'].map((name) => () => ({ name, close: async () => {} })),
      { observe: { called: () => {}, refused: () => {} } },
    )
    const read = async ({ name }: Endpoint) => {
      if (name === source) throw new Error('the source was read')
      if (theirs instanceof Error) throw theirs
      return theirs && { ...block(7, theirs), id }
    }
    return crossCheckBy(providers, { id: 'id 7', source }, ours, read, isCompared)
  }
  const elsewhere = [transfer({ to: 'c', amount: 9n }), transfer({ contract: 'other', amount: 9n })]

  test('agrees if it has the same movements of the same receivers and assets, and any others', async () => {
    expect(await ask([...elsewhere, transfer()], [transfer()])).toMatchObject({ said: 'agrees' })
    expect(await ask([...elsewhere, transfer()], [transfer()], { source: 'b' })).toMatchObject({
      said: 'agrees',
    })
    expect(await ask(elsewhere, [])).toMatchObject({ said: 'agrees' })
  })

  test.each<[string, Transfer[]]>([
    ['nothing', []],
    ['another amount', [transfer({ amount: 6n })]],
    ['another sender', [transfer({ from: 'c' })]],
    ['another transaction', [transfer({ txId: 'two' })]],
    ['another place in the transaction', [transfer({ movementKey: 'log:1' })]],
    ['one more to the same receiver', [transfer(), transfer({ movementKey: 'log:1' })]],
  ])('disagrees if it has %s', async (_what, theirs) => {
    expect(await ask(theirs, [transfer()])).toMatchObject({ said: 'disagrees' })
  })

  test('of another block disagrees, one without the block is `has it not`, and a failed one `cannot say`', async () => {
    expect(await ask([transfer()], [transfer()], { id: 'another' })).toMatchObject({ said: 'disagrees' })
    expect(await ask(null, [transfer()])).toMatchObject({ said: 'has it not' })
    expect(await ask(new ProviderError('down'), [transfer()])).toMatchObject({ said: 'cannot say' })
    // What a node sent was not of the form that a reader expects.
    expect(await ask(new TypeError('not a list'), [transfer()])).toMatchObject({ said: 'cannot say' })
    await expect(ask(new Error('a programming error'), [transfer()])).rejects.toThrow('a programming error')
  })

  const asked: string[] = []
  /** Cross-checks 5 for b and 9 for c with all but `a`; the others have these transfers. */
  const askThree = (...others: (Transfer[] | null | Error)[]) => {
    asked.length = 0
    const providers = createProviders<Endpoint>(
      ['a', ...others.map((_, index) => `other ${index}`)].map((name) => () => ({
        name,
        close: async () => {},
      })),
      { observe: { called: () => {}, refused: () => {} } },
    )
    return crossCheckBy(
      providers,
      { id: 'id 7', source: 'a' },
      [transfer(), transfer({ to: 'c', amount: 9n })],
      async ({ name }) => {
        asked.push(name)
        const theirs = others[Number(name.split(' ')[1])] ?? null
        if (theirs instanceof Error) throw theirs
        return theirs && block(7, theirs)
      },
    )
  }
  const [five, nine, forged] = [
    transfer(),
    transfer({ to: 'c', amount: 9n }),
    transfer({ to: 'c', amount: 900n }),
  ]
  const failed = new ProviderError('down')

  test.each<[string, Parameters<typeof askThree>, string, number[], number]>([
    ['the first that has all is enough', [[five, nine], [five]], 'agrees', [5, 9], 1],
    [
      'the next is read for transfers that the first lacks',
      [
        [five, forged],
        [five, nine],
      ],
      'agrees',
      [5, 9],
      2,
    ],
    ['each of them may have a part', [[five], [nine]], 'agrees', [5, 9], 2],
    ['one that fails, and one that lags, do not count', [failed, null, [five, nine]], 'agrees', [5, 9], 3],
    ['a transfer that all of them lack is missing', [[five, forged], [five]], 'disagrees', [5], 2],
    ['one that answers disagrees, though another one fails', [[five, forged], failed], 'disagrees', [5], 2],
    ['no provider has the block', [null, failed], 'has it not', [], 2],
    ['no provider answers', [failed, failed], 'cannot say', [], 2],
  ])('is any provider but the source: %s', async (_what, others, said, found, asks) => {
    const answer = await askThree(...others)
    expect([answer.said, answer.found.map(({ amount }) => Number(amount)), asked.length]).toEqual([
      said,
      found,
      asks,
    ])
  })

  test('holds a true transfer next to an invented one to the same receiver, but not if it has an extra one', async () => {
    const [right, invented] = [transfer(), transfer({ movementKey: 'log:1', amount: 900n })]
    expect(await ask([right], [right, invented])).toEqual({ said: 'disagrees', found: [right] })
    expect(await ask([right, transfer({ movementKey: 'log:1', amount: 9n })], [right, invented])).toEqual({
      said: 'disagrees',
      found: [],
    })
  })

  test('holds one that is watched on both sides when both are right', async () => {
    const both = { ...transfer(), side: 'both' as const }
    expect(await ask([transfer()], [both])).toMatchObject({ said: 'agrees' })
    expect(await ask([transfer(), transfer({ to: 'z' })], [both])).toEqual({ said: 'disagrees', found: [] })
    expect(await ask([transfer(), transfer({ from: 'z' })], [both])).toEqual({ said: 'disagrees', found: [] })
  })

  test('does not dispute a transfer because of an extra unproven one, which may have failed', async () => {
    const open = transfer({ movementKey: 'log:1', unproven: true })
    expect(await ask([transfer(), open], [transfer()])).toMatchObject({ said: 'agrees' })
    expect(await ask([open], [transfer()])).toMatchObject({ said: 'disagrees' })
    expect(await ask([{ ...transfer(), unproven: true }], [transfer()])).toMatchObject({ said: 'agrees' })
  })

  test('does not accept a transfer that only a third provider could report while that one is down, called or not', async () => {
    const call = transfer({ movementKey: 'trace:1' })
    const isCompared = ({ movementKey }: Transfer, source: string) =>
      movementKey !== 'trace:1' || source === 'c'
    const providers = createProviders<Endpoint>(
      ['a', 'b', 'c'].map((name) => () => ({ name, close: async () => {} })),
      { observe: { called: () => {}, refused: () => {} } },
    )
    const said = async () => {
      const read = async ({ name }: Endpoint) => {
        if (name === 'c') throw new ProviderError('down')
        return block(7, [])
      }
      return (await crossCheckBy(providers, { id: 'id 7', source: 'a' }, [call], read, isCompared)).said
    }
    // After five failures in a row it is skipped for a while.
    for (let round = 0; round < 8; round++) expect(await said()).toBe('cannot say')
    const both = createProviders<Endpoint>(
      ['a', 'b'].map((name) => () => ({ name, close: async () => {} })),
      { observe: { called: () => {}, refused: () => {} } },
    )
    const alone = await crossCheckBy(
      both,
      { id: 'id 7', source: 'a' },
      [call],
      async () => block(7, []),
      isCompared,
    )
    expect(alone.said).toBe('agrees')
    const now = await crossCheckBy(
      createProviders<Endpoint>(
        ['a', 'c'].map((name) => () => ({ name, close: async () => {} })),
        { observe: { called: () => {}, refused: () => {} } },
      ),
      { id: 'id 7', source: 'a' },
      [call],
      async () => block(7, [{ ...call, amount: 6n }]),
      isCompared,
    )
    expect(now.said).toBe('disagrees')
  })

  test('ignores movements that providers report in different ways', async () => {
    const isCompared = ({ movementKey }: Transfer) => movementKey !== 'trace:net'
    expect(
      await ask([transfer()], [transfer(), transfer({ movementKey: 'trace:net' })], { isCompared }),
    ).toMatchObject({ said: 'agrees' })
    expect(
      await ask([transfer(), transfer({ movementKey: 'trace:net' })], [transfer()], { isCompared }),
    ).toMatchObject({ said: 'agrees' })
  })
})
