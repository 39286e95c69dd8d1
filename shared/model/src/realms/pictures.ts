import { createHash } from 'node:crypto';

import type { tables } from '@parley/db';

/** The pictures of a realm: its square icon, and its wide logos for light and for dark backgrounds. */
export const realmPictureKinds = ['icon', 'logo', 'night_logo'] as const;
export type RealmPictureKind = (typeof realmPictureKinds)[number];

type RealmRow = typeof tables.realms.$inferSelect;

/** The columns of each picture. */
export const realmPictureColumns = {
  icon: { path: 'iconPath', version: 'iconVersion' },
  logo: { path: 'logoPath', version: 'logoVersion' },
  night_logo: { path: 'nightLogoPath', version: 'nightLogoVersion' },
} as const satisfies Record<RealmPictureKind, Record<'path' | 'version', keyof RealmRow>>;

/** Returns the address of a picture. That of a realm which has uploaded none is drawn from its name. */
export function realmPictureUrl(realm: RealmRow, kind: RealmPictureKind): string {
  const columns = realmPictureColumns[kind];
  const [path, version] = [realm[columns.path], realm[columns.version]];
  if (path === null) {
    const drawing = createHash('md5').update(realm.name).digest('hex');
    return `https://secure.gravatar.com/avatar/${drawing}?d=identicon&version=${version}`;
  }
  return `/user_avatars/${path.replace('/', '/realm/')}.png?version=${version}`;
}

/** Returns the fields of a picture, as POST /register (with `realm_` before them) and its event name them. */
export const presentRealmPicture = (realm: RealmRow, kind: RealmPictureKind) => ({
  [`${kind}_url`]: realmPictureUrl(realm, kind),
  [`${kind}_source`]: realm[realmPictureColumns[kind].path] !== null ? 'U' : kind === 'icon' ? 'G' : 'D',
});
