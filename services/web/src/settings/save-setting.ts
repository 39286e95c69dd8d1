import type { SettingValue } from '../forms/setting-row.ts';
import { connection } from '../session/session.ts';

/** Changes a setting of the person. */
export const saveSetting = async (name: string, value: SettingValue): Promise<void> => {
  await connection().patch('/settings', { [name]: value });
};
