import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { type Settings, url, waitsAfter } from '../platform/settings.ts'

const sender = {
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@\r\n]+ <)?[^\s<>@]+@[^\s<>@]+>?$/, {
      message: 'must be an address: pay@example.com, or Name <pay@example.com>',
    })
    .optional(),
}

export const mailSettings = {
  /** Offers mail only if the deployment sends any. */
  api: { variables: sender },
  worker: {
    variables: {
      ...sender,
      SMTP_URL: url(['smtp:', 'smtps:'])
        .transform((text) => new Secret(text))
        .optional(),
      MAIL_RETRY_SECONDS: waitsAfter.default([60, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 57_600]),
    },
  },
} satisfies Record<string, Settings>
