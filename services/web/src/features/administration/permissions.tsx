import type { GroupSetting } from '@parley/client';

import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { administrationText } from '../../strings/administration.ts';
import { GroupSettingField, settingName } from './group-setting.tsx';

interface Supported {
  realm: Record<string, { allowed_system_groups: string[] }>;
}

/** Lists every permission of the organization that the server has, and who has it. */
export function Permissions() {
  const { realm } = own('server_supported_permission_settings') as Supported;
  return (
    <fieldset class="settings-group">
      <legend>{administrationText.whoCan}</legend>
      {Object.entries(realm).map(([name, { allowed_system_groups }]) => (
        <GroupSettingField
          key={name}
          name={name}
          label={settingName(name)}
          value={own(`realm_${name}`) as GroupSetting}
          isDisabled={false}
          allowed={allowed_system_groups}
          save={(change) => connection().patch('/realm', { [name]: change })}
        />
      ))}
    </fieldset>
  );
}
