import type { Secret } from '../platform/secrets.ts'
import { oneLine } from './oneLine.ts'
import type { MailKind } from './queueMail.ts'

export interface MailFacts {
  kind: MailKind
  businessName: string | null
  role: string | null
  invitedBy: string | null
  expiresAt: Date
}

/**
 * Subject and text of a mail. Members choose their business's name: it is quoted in the text, never used in
 * the subject.
 * @param baseUrl the deployment's URL
 */
export function composeMail(
  facts: MailFacts,
  token: Secret,
  baseUrl: string,
): { subject: string; text: string } {
  const { host } = new URL(baseUrl)
  const link = `${baseUrl.replace(/\/$/, '')}/dashboard/invitation#${token.reveal()}`
  const until = `The link works once, until ${facts.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  const text = (lines: string[]) => `${lines.join('\n\n')}\n`
  switch (facts.kind) {
    case 'member':
    case 'operator': {
      const by = facts.invitedBy ? `${oneLine(facts.invitedBy)} invites you` : 'You are invited'
      const to = facts.businessName
        ? `to the business "${oneLine(facts.businessName)}" as ${facts.role}`
        : 'to operate the platform'
      return {
        subject: `You are invited at ${host}`,
        text: text([
          `${by} ${to} at ${host}.`,
          link,
          until,
          'If you did not expect this mail, ignore it: nothing happens unless you open the link.',
        ]),
      }
    }
    case 'reset':
      return {
        subject: `Set a new password at ${host}`,
        text: text([
          `A new password was requested for your account at ${host}.`,
          link,
          until,
          'If it was not you, ignore this mail: your password stays as it is.',
        ]),
      }
    case 'prove':
      return {
        subject: `Is this your address? ${host}`,
        text: text([
          `An account at ${host} asks to prove that this address is its own. Open the link only if you are signed in there yourself.`,
          link,
          until,
          'If you have no account there, ignore this mail.',
        ]),
      }
  }
}
