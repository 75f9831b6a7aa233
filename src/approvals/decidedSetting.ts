import type { Decided, OpenRequest } from './decideApproval.ts'
import type { SettingName, WantedSetting } from './protections.ts'

/** The effect of a decision about one setting. */
export type DecidedSettings = Readonly<Record<SettingName, Pick<Decided, 'whyOver' | 'approved'>>>

/** The effect of a decision about a looser setting. If it was changed meanwhile, the request is void. */
export function decidedSetting(settings: DecidedSettings): Decided {
  const of = ({ wanted }: OpenRequest) => settings[(wanted as WantedSetting).setting]
  return {
    whyOver: (tx, asked) => of(asked).whyOver(tx, asked),
    approved: (tx, asked, actor) => of(asked).approved(tx, asked, actor),
    async refused() {},
  }
}

export const changedMeanwhile = 'The settings have changed since this was asked for: ask for it again'
