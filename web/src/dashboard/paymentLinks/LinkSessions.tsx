import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Section } from '../../ui/Section.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { SessionTable } from '../posSessions/SessionTable.tsx'
import { useApi } from '../session/session.ts'

const countedTo = 10_000

/** The payments that a link made, the newest first. */
export function LinkSessions({ linkId }: { linkId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const pages = usePages(`${business.id} ${linkId}`, async (cursor, signal) => {
    const { sessions, ...page } = await api.call('listSessionsOfBusiness', {
      path: { businessId: business.id },
      query: { linkId, cursor },
      signal,
    })
    return { ...page, rows: sessions }
  })
  return (
    <Section title="Payments of this link">
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title="Nobody has chosen how to pay yet." />
          ) : (
            <>
              <SessionTable sessions={rows} />
              <More
                pages={pages}
                shown={rows.length}
                total={total}
                atLeast={nextCursor !== null && total === countedTo}
                next={nextCursor}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
