import { Facts } from '../../ui/Facts.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { CopyValue } from '../posSessions/CopyValue.tsx'
import type { Wallet } from './types.ts'

export function WalletFacts({ wallet }: { wallet: Wallet }) {
  const { id, publicKey, derivationPath, createdAt, archivedAt } = wallet
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Stored', <Time key="stored" at={createdAt} />],
          ...(archivedAt
            ? [['Archived', <Time key="archived" at={archivedAt} />] satisfies [string, unknown]]
            : []),
          [
            'Stored as',
            derivationPath === null ? (
              'Private key'
            ) : (
              <>
                Recovery phrase, <code>{derivationPath}</code>
              </>
            ),
          ],
          ['Public key', <CopyValue key="key" what="public key" value={publicKey} />],
          ['Id', <CopyValue key="id" what="id" value={id} />],
        ]}
      />
    </Section>
  )
}
