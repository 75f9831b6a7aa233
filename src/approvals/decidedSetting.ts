import type { SettingSources } from './approvalSources.ts'
import type { Decided, OpenRequest } from './decideApproval.ts'
import type { WantedSetting } from './protections.ts'

/** The effect of a decision about a looser setting. If it was changed meanwhile, the request is void. */
export function decidedSetting(settings: SettingSources): Decided {
  const of = ({ wanted }: OpenRequest) => settings[(wanted as WantedSetting).setting]()
  return {
    whyOver: async (tx, asked) => (await of(asked)).whyOver(tx, asked),
    approved: async (tx, asked, actor) => (await of(asked)).approved(tx, asked, actor),
    async refused() {},
  }
}

export const changedMeanwhile = 'The settings have changed since this was asked for: ask for it again'
