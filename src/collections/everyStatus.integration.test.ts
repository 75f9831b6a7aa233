import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { collectionStates, wordCases } from '../../test/support/collectionWords.ts'
import { makeManyCollections } from '../../test/support/manyCollections.ts'
import { type OpenCollections, openCollections } from '../../test/support/openCollections.ts'
import { applyAnswer } from './applyAnswer.ts'

// Each report of the partner on a stored collection of each state: what is stored, and which events.

let open: OpenCollections
beforeAll(async () => {
  open = await openCollections()
})
afterAll(() => open?.close())

test('the state is right or unchanged, with the raw term; one event a change, never two, if a report comes once, again, late or twice at a time', async () => {
  const businessId = await open.business()
  const made = await makeManyCollections(open, businessId, wordCases.length)
  const sample = await open.ctx.partner.find(made[0]?.sequenceId ?? '')
  if (!sample) throw new Error('no answer')
  await open.db.query('delete from events')
  const news = wordCases.map((each, i) => ({
    ...each,
    id: made[i]?.sequenceId ?? '',
    partnerId: made[i]?.id ?? '',
  }))
  for (const state of collectionStates)
    await open.db.query(
      `update fiat_collections set status = $2, reason = 'of before', ended_at = case when $2 in ('pending', 'processing') then null else now() end where id = any($1::uuid[])`,
      [news.flatMap(({ id, before }) => (before === state ? id : [])), state],
    )
  const at = new Date()
  const answerOf = ({ id, partnerId, word }: (typeof news)[number], ms: number) => ({
    ...sample,
    id: partnerId,
    sequenceId: id,
    status: word,
    updatedAt: new Date(sample.updatedAt.getTime() + ms),
  })
  for (const each of news) {
    open.alarms.length = 0
    const answer = answerOf(each, 2000)
    await Promise.all([
      applyAnswer(open.ctx, each.id, answer, at),
      applyAnswer(open.ctx, each.id, answer, at),
    ])
    const { status, partnerStatus, reason, endedAt } = await open.read(each.id)
    expect({ ...each, status, alarm: open.alarms[0] ?? null }).toEqual(each)
    expect([
      each.before,
      each.word,
      partnerStatus,
      (endedAt === null) === ['pending', 'processing'].includes(status),
    ]).toEqual([each.before, each.word, each.word, true])
    // What is not understood, or cannot be, is no reason of the state.
    if (each.alarm === 'contradiction' || each.alarm === 'unknown_status')
      expect([each.before, each.word, reason]).toEqual([each.before, each.word, 'of before'])
    // Again, and an older one that comes late.
    await applyAnswer(open.ctx, each.id, answer, new Date(at.getTime() + 1000))
    await applyAnswer(
      open.ctx,
      each.id,
      { ...answerOf(each, 1000), status: 'PROCESSING' },
      new Date(at.getTime() + 2000),
    )
    expect([each.before, each.word, (await open.read(each.id)).status]).toEqual([
      each.before,
      each.word,
      each.status,
    ])
  }
  const events = await open.db.query<{ id: string; type: string }>(
    "select data->>'id' as id, type from events where business_id = $1",
    [businessId],
  )
  const of = Map.groupBy(events, ({ id }) => id)
  for (const { id, before, word, status } of news) {
    const types = (of.get(id) ?? []).map(({ type }) => type)
    expect([before, word, types]).toEqual([before, word, status === before ? [] : [`collection.${status}`]])
  }
})
