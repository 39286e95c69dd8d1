import { SettingGroups } from '../../base/forms/setting-fields.tsx';
import { userSetting } from '../../data/live/state.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import { ThisDevice } from '../notifications/index.ts';
import { notificationGroups } from './rows.ts';

/** The settings of notifications. */
export const Notifications = () => (
  <>
    <ThisDevice />
    <SettingGroups groups={notificationGroups} read={userSetting} save={saveSetting} />
  </>
);
