import { businessPath } from '../shell/navigation.ts'

export const eventsPath = (businessId: string): string => `${businessPath(businessId)}/events`
export const eventPath = (businessId: string, eventId: string): string =>
  `${eventsPath(businessId)}/${encodeURIComponent(eventId)}`
