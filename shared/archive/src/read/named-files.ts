import * as model from '@parley/model';

import type { Row } from './row.ts';

/** A file of the store that a row names: its key, and its bytes where the row says them. */
interface NamedFile {
  key: string;
  bytes: number;
}

/** Returns the files that a row of a table names, in the folders of the archive's realm. */
export function namedFiles(table: string, row: Row, realmId: number): NamedFile[] {
  const bytes = Number(row['size'] ?? 0);
  return keysOf(table, row, realmId).map((key) => ({ key, bytes }));
}

function keysOf(table: string, row: Row, realmId: number): string[] {
  const path = (column: string) => {
    const value = row[column];
    return typeof value === 'string' ? [value] : [];
  };
  switch (table) {
    case 'attachments':
      return path('path_id').map((one) => model.files.uploadPlace(one).original);
    case 'users':
      return path('avatar_path').flatMap((one) =>
        Object.values(model.users.avatarSizes).map((size) =>
          model.files.avatarPlace(one).variant(`${size}.png`),
        ),
      );
    case 'realms':
      return ['icon_path', 'logo_path', 'night_logo_path'].flatMap((column) =>
        path(column).map((one) => model.files.realmPicturePlace(one).original),
      );
    case 'realm_emoji':
      return path('path').flatMap((one) => {
        const place = model.files.emojiPlace(realmId, model.files.emojiFolderOf(one));
        return [place.original, place.variant('still')];
      });
    default:
      return [];
  }
}
