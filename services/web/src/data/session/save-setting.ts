import type { UserSettings } from '@parley/client';

import type { SettingValue } from '../../base/forms/setting-row.ts';
import { connection } from './session.ts';

/** Changes a setting of the person. */
export const saveSetting = async (name: keyof UserSettings, value: SettingValue): Promise<void> => {
  await connection().patch('/settings', { [name]: value });
};
