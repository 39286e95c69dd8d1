import { buffer } from 'node:stream/consumers';

import * as model from '@parley/model';

import { type ArchiveFile, readFiles } from '../read/entries.ts';
import { type Member, memberOf } from '../read/members.ts';
import { type Form, secondsOf } from './form.ts';
import type { TarWriter } from './tar-writer.ts';

/** Pictures that are in memory once, because they are written twice. */
const pictureBytesMax = 8 * 1024 * 1024;
const folders = ['uploads', 'avatars', 'emoji', 'realm_icons'] as const;

/** Lists of the files in each folder, which an export has beside them. */
type Records = Record<(typeof folders)[number], object[]>;

/** Copies the files of an archive to where an export of Zulip has them. */
export async function copyFiles(archive: string, form: Form, tar: TarWriter): Promise<void> {
  const records: Records = { uploads: [], avatars: [], emoji: [], realm_icons: [] };
  const uploads = new Map(
    [...form.attachments.values()].map((row) => [
      model.files.uploadPlace(String(row['path_id'])).original,
      row,
    ]),
  );
  for await (const file of readFiles(archive)) {
    const member = memberOf(file.path);
    if (member.kind !== 'file') continue;
    const upload = uploads.get(`${member.folder}/${member.realmId}/${member.rest}`);
    if (upload) {
      const path = String(upload['path_id']);
      const about = {
        user_profile_id: upload['owner_id'],
        size: file.bytes,
        content_type: upload['content_type'],
      };
      records.uploads.push({
        ...recordOf(form, path),
        ...about,
        last_modified: secondsOf(upload['created_at']),
      });
      await tar.add(`uploads/${path}`, file.bytes, file.content);
    } else await copyPicture(form, tar, records, file, member);
  }
  for (const folder of folders) {
    await tar.addText(`${folder}/records.json`, `${JSON.stringify(records[folder], null, 1)}\n`);
  }
}

const recordOf = (form: Form, path: string) => ({ realm_id: form.realmId, path, s3_path: path });

async function copyPicture(
  form: Form,
  tar: TarWriter,
  records: Records,
  file: ArchiveFile,
  { folder, realmId, rest }: Member & { kind: 'file' },
): Promise<void> {
  const [name = '', variant = ''] = rest.split('/');
  const [own, user, kind, emoji] = [
    `${realmId}/${name}`,
    form.avatars.get(`${realmId}/${name}`),
    form.pictures.get(`${realmId}/${name}`),
    form.emoji.get(name),
  ];
  if (folder === 'avatars' && user !== undefined) {
    const about = { user_profile_id: user, avatar_version: 1 };
    const isMedium = variant === `${model.users.avatarSizes.medium}.png`;
    // The original is gone; the larger size stands for it.
    const paths = isMedium ? [`${own}-medium.png`, `${own}.original`] : [`${own}.png`];
    await addEach(tar, 'avatars', paths, file);
    records.avatars.push(...paths.map((path) => ({ ...recordOf(form, path), ...about })));
  } else if (folder === 'emoji' && emoji !== undefined && variant === 'original') {
    const path = `${realmId}/emoji/images/${emoji}`;
    await addEach(tar, 'emoji', [path], file);
    records.emoji.push({ ...recordOf(form, path), file_name: emoji });
  } else if (kind !== undefined) {
    const paths = [`${realmId}/${kind}.png`, `${realmId}/${kind}.original`];
    await addEach(tar, 'realm_icons', paths, file);
    records.realm_icons.push(...paths.map((path) => recordOf(form, path)));
  }
}

async function addEach(
  tar: TarWriter,
  folder: string,
  paths: readonly string[],
  { bytes, content }: ArchiveFile,
): Promise<void> {
  const [first] = paths;
  if (paths.length === 1 || bytes > pictureBytesMax) {
    return await tar.add(`${folder}/${first}`, bytes, content);
  }
  const whole = await buffer(content);
  for (const path of paths) await tar.addText(`${folder}/${path}`, whole);
}
