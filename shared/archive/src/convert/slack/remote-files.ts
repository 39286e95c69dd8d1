import { limits } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import { type Json, isObject, stringOf } from '../json.ts';
import { ZipFiles } from '../zip-files.ts';
import { daysOf, filesOf, slackRoot } from './days.ts';

/** A file that an export of Slack names and does not hold. */
export interface RemoteFile {
  /** Where an import looks for it in the folder of `--files`: the id of a file, or `emoji/` and a name. */
  place: string;
  url: string;
  /** Its size as Slack says; null if it does not. */
  bytes: number | null;
  /** Its media type as Slack says. */
  type: string;
  /** How much of the archive has been read. */
  done: number;
  of: number;
}

/** Why a file is not there to be downloaded. */
export type NotThere =
  | 'deleted, or not shown to anybody'
  | 'kept by another service'
  | 'too large to be imported';

const fileBytesMax = limits.uploadMebibytes * 1024 * 1024;
const fileId = /^[A-Za-z0-9]{1,60}$/;
const emojiName = /^[\w+'-]{1,100}$/;
const pictureType = /\.(?<extension>png|gif|jpe?g|webp)$/i;

/**
 * Yields the files of an export of Slack that can be downloaded, each once: those of messages, and the pictures of custom
 * emoji. `onNotThere` hears of the others.
 *
 * @throws ArchiveRefused for what is no export of Slack, or cannot be read
 */
export async function* slackFiles(
  archive: string,
  onNotThere: (reason: NotThere) => void,
): AsyncGenerator<RemoteFile> {
  using zip = await ZipFiles.open(archive);
  const root = slackRoot(zip.paths);
  if (root === undefined) throw refused('file_missing', { path: 'users.json' });
  const days = daysOf(zip.paths, root);
  const of = days.length + 1;
  yield* emojiOf(await zip.readJson(`${root}emoji.json`), of);
  const seen = new Set<string>();
  for (const [index, { path }] of days.entries()) {
    const messages = await zip.readJson(path);
    if (!Array.isArray(messages)) throw refused('no_list', { path });
    for (const file of messages.filter(isObject).flatMap(filesOf)) {
      const id = stringOf(file['id']);
      if (!fileId.test(id) || seen.has(id)) continue;
      seen.add(id);
      const found = remoteFile(id, file);
      if (typeof found === 'string') onNotThere(found);
      else yield { ...found, done: index + 1, of };
    }
  }
}

function remoteFile(id: string, file: Json): Omit<RemoteFile, 'done' | 'of'> | NotThere {
  const url = stringOf(file['url_private_download']) || stringOf(file['url_private']);
  const bytes = typeof file['size'] === 'number' && file['size'] > 0 ? file['size'] : null;
  if (file['mode'] === 'external' || file['is_external'] === true) return 'kept by another service';
  if (url === '' || file['mode'] === 'tombstone') return 'deleted, or not shown to anybody';
  if (bytes !== null && bytes > fileBytesMax) return 'too large to be imported';
  return { place: id, url, bytes, type: stringOf(file['mimetype']) };
}

function* emojiOf(content: unknown, of: number): Generator<RemoteFile> {
  const list = isObject(content) && isObject(content['emoji']) ? content['emoji'] : content;
  for (const [name, url] of Object.entries(isObject(list) ? list : {})) {
    if (typeof url !== 'string' || url.startsWith('alias:') || !emojiName.test(name)) continue;
    const path = URL.canParse(url) ? new URL(url).pathname : '';
    const extension = pictureType.exec(path)?.groups?.['extension']?.toLowerCase() ?? 'png';
    yield { place: `emoji/${name}.${extension}`, url, bytes: null, type: 'image/*', done: 0, of };
  }
}
