import { SettingGroups } from '../../base/forms/setting-fields.tsx';
import { userSetting } from '../../data/live/state.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import { displayGroups } from './rows.ts';

/** The settings of appearance, reading and writing. */
export const Display = () => <SettingGroups groups={displayGroups} read={userSetting} save={saveSetting} />;
