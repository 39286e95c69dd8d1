import { GroupSettingChange, GroupSettingInput } from '@parley/protocol';
import type { z } from 'zod';

import { form } from './endpoint.ts';

/** Optional parameters for the permissions of something, and a function that picks those that were sent. */
function permissionFields<Name extends string, Schema extends z.ZodType>(
  names: readonly Name[],
  schema: Schema,
) {
  const optional = () => form.json(schema).optional();
  return {
    // Safe: an entry for each permission.
    params: Object.fromEntries(names.map((name) => [name, optional()])) as Record<
      Name,
      ReturnType<typeof optional>
    >,
    sent: (params: { [One in Name]: z.output<Schema> | undefined }) =>
      Object.fromEntries(
        names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
        // Safe: the keys are some of the permissions, each with the value that was sent.
      ) as Partial<Record<Name, z.output<Schema>>>,
  };
}

/** Returns the permissions of something that is created. */
export const newPermissions = <Name extends string>(names: readonly Name[]) =>
  permissionFields(names, GroupSettingInput);

/** Permissions that change, each with its new value and the one that the client believes to be current. */
export const changedPermissions = <Name extends string>(names: readonly Name[]) =>
  permissionFields(names, GroupSettingChange);
