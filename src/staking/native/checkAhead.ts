import { ProviderError } from '../../chains/chain.ts'
import type { ChainStaking, StakeOwner, StakeReading } from '../../chains/staking.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { pause } from '../../platform/wait.ts'
import type { ReadStake } from './followNative.ts'

/** Stakes that one call can read. */
const maxAtOnce = 96
/** Requests of this time share a call. */
const gatherMs = 20
/** An answer that was read ahead is used within this time. */
const freshMs = 10_000

const notRead = () => new ProviderError('a stake was not read')

interface Ahead {
  answer: Promise<StakeReading | ProviderError>
  until: number
}

/**
 * Reads native stakes of one chain. Jobs work on one stake each, and many are due at once, when an epoch
 * ends: so a call reads those that jobs request at the same time and those that are due next. An answer that
 * was read ahead of a change of its stake is not used.
 */
export function checkAhead(db: Queryable, chain: string, staking: Pick<ChainStaking, 'look'>): ReadStake {
  const ahead = new Map<string, Ahead>()
  let gathering: {
    owners: StakeOwner[]
    answers: Promise<Map<string, StakeReading | ProviderError>>
  } | null = null

  async function read(owners: readonly StakeOwner[]): Promise<Map<string, StakeReading | ProviderError>> {
    await pause(gatherMs)
    gathering = null
    const asked = owners.map(({ id }) => id)
    for (const [id, { until }] of ahead) if (until < Date.now()) ahead.delete(id)
    const next = await dueAfter(db, chain, [...asked, ...ahead.keys()], maxAtOnce - owners.length)
    const all = [...owners, ...next]
    const reading = staking
      .look(all)
      .then((looks) => new Map(all.map(({ id }, index) => [id, looks[index] ?? notRead()])))
    for (const { id } of next) {
      const answer = reading.then((looks) => looks.get(id) ?? notRead())
      answer.catch(() => {})
      ahead.set(id, { answer, until: Date.now() + freshMs })
    }
    return reading
  }

  async function answerOf(
    owner: StakeOwner,
    fromSlot: number,
  ): Promise<StakeReading | ProviderError | undefined> {
    const known = ahead.get(owner.id)
    ahead.delete(owner.id)
    const answer = known && known.until >= Date.now() ? await known.answer : undefined
    if (answer && (answer instanceof ProviderError || answer.slot >= fromSlot)) return answer
    if (gathering === null) {
      const owners: StakeOwner[] = []
      gathering = { owners, answers: read(owners) }
    }
    gathering.owners.push(owner)
    const answers = await gathering.answers
    // Older, if another call has read it ahead meanwhile.
    ahead.delete(owner.id)
    return answers.get(owner.id)
  }

  return async (owner, fromSlot) => {
    const answer = await answerOf(owner, fromSlot)
    if (answer === undefined || answer instanceof ProviderError) throw answer ?? notRead()
    return answer
  }
}

async function dueAfter(
  db: Queryable,
  chain: string,
  except: readonly string[],
  limit: number,
): Promise<StakeOwner[]> {
  return db.query<{ id: string; from: string }>(
    `select id, from_address as "from" from stakes where next_at <= now() and type = 'native' and chain = $1 and status <> 'withdrawn'
       and confirmed_at is not null and id <> all($2::uuid[]) order by next_at limit $3`,
    [chain, [...except], Math.max(0, limit)],
  )
}
