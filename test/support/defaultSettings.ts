import { readSettings } from '../../src/platform/config.ts'
import type { Settings, SettingValues } from '../../src/platform/settings.ts'

/** The worker's settings where the operator has set nothing. */
export const defaultSettings = <S extends Settings>(of: S): SettingValues<S> => readSettings('worker', of, {})
