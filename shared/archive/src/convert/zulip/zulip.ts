import { supersededPath } from '../../manifest.ts';
import { refused } from '../../read/refused.ts';
import { ArchiveFileWriter } from '../../write/archive-file.ts';
import { type JsonTables, openTables } from '../json-tables.ts';
import type { Tally } from '../report.ts';
import { RowSpool } from '../row-spool.ts';
import { type UnpackedTar, unpackTar } from '../unpack-tar.ts';
import { mappings, presenceRows, profileValueRows } from './belongings.ts';
import { Directory } from './directory.ts';
import { type ImageFacts, copyFiles, isUpload } from './files.ts';
import { Groups } from './groups.ts';
import { noteLeftOut } from './left-out.ts';
import { MessageReader, withUploads } from './messages.ts';
import { userRows } from './people.ts';
import { emptyPlaced, placeAvatars, placeEmoji, placeRealmPictures } from './pictures.ts';
import { Places, channelRows, folderRows, memberRows } from './places.ts';
import { addReactions } from './reactions.ts';
import { ReadState } from './read-state.ts';
import { realmRows } from './realm.ts';
import { reminderRows, scheduledRows } from './scheduled.ts';
import { clientsOf, mapped, topicRows, userTopicRows } from './small-tables.ts';
import { type Rows, TableWriter } from './table-writer.ts';
import { addUploadsOfMessages, attachmentRows, placeUploads, scheduledUploadRows } from './uploads.ts';
import { firstTime, timeOf } from './values.ts';

const wanted = /(?:^|\/)(?:realm|attachment|messages-\d{6,9}|records)\.json$/;

/** Returns whether a path is one of an export of Zulip. */
export const isZulipPath = (path: string): boolean =>
  /^(?:\.\/)?[^/]+\/(?:(?:realm|attachment|analytics|stats|migration_status|messages-\d{6,9})\.json$|(?:avatars|uploads|emoji|realm_icons)\/)/.test(
    path,
  );

interface ZulipOptions {
  archive: string;
  /** A folder for temporary files. */
  folder: string;
  /** The archive that is written; null if nothing is, and all is only counted. */
  file: string | null;
  name: string;
  tally: Tally;
  readonly onProgress: (progress: { messages: number; done: number; of: number }) => void;
}

/**
 * Makes an archive of ours of an export of Zulip. The tables of both are much alike, so that rows are translated one by one,
 * and ids are kept.
 *
 * @throws ArchiveRefused for what cannot be read, naming the file and the line
 */
export async function convertZulip(options: ZulipOptions): Promise<void> {
  const unpacked = await Export.unpack(options.archive, options.folder);
  const writer = new ArchiveFileWriter(options.folder);
  try {
    await new Conversion(unpacked, writer, options).run();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** The files of an export. */
class Export {
  readonly #tar: UnpackedTar;
  readonly root: string;

  private constructor(tar: UnpackedTar, root: string) {
    this.#tar = tar;
    this.root = root;
  }

  static async unpack(archive: string, folder: string): Promise<Export> {
    const tar = await unpackTar(archive, folder, (path) => wanted.test(path));
    const roots = [...tar.sizes.keys()].flatMap(
      (path) => /^((?:[^/]+\/)?)realm\.json$/.exec(path)?.[1] ?? [],
    );
    if (roots[0] === undefined) throw refused('file_missing', { path: 'realm.json' });
    return new Export(tar, roots[0]);
  }

  readonly bytesOf = (path: string): number | undefined => this.#tar.sizes.get(this.root + path);

  async tables(path: string): Promise<JsonTables | undefined> {
    const file = this.#tar.unpacked.get(this.root + path);
    return file === undefined ? undefined : await openTables(file, path);
  }

  /** The files with messages, in their order. */
  get messageFiles(): readonly string[] {
    const numbers = [...this.#tar.unpacked.keys()].flatMap((path) => {
      const number = /^messages-(\d+)\.json$/.exec(path.slice(this.root.length))?.[1];
      return number === undefined || !path.startsWith(this.root) ? [] : [number];
    });
    return numbers.sort((a, b) => Number(a) - Number(b)).map((number) => `messages-${number}.json`);
  }
}

class Conversion {
  readonly #export: Export;
  readonly #writer: ArchiveFileWriter;
  readonly #options: ZulipOptions;

  constructor(unpacked: Export, writer: ArchiveFileWriter, options: ZulipOptions) {
    this.#export = unpacked;
    this.#writer = writer;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { tally, folder, name } = this.#options;
    const tables = await this.#need('realm.json');
    const attachments = await this.#need('attachment.json');
    const directory = await Directory.read(tables, tally);
    const groups = await Groups.read(tables, directory);
    const spool = new RowSpool(folder, 'topics');
    const places = new Places(directory, spool);
    const state = new ReadState();
    const clients = await clientsOf(tables);
    const hasUpload = (path: string) => isUpload(this.#export.bytesOf(`uploads/${path}`));
    const files = await this.#files(tables, attachments, directory);
    using reader = new MessageReader({ directory, places, state, writer: this.#writer, clients, hasUpload });
    await this.#readMessages(reader);
    await addReactions(tables, directory, reader, files.hasEmoji);
    await addUploadsOfMessages(attachments, this.#export, reader);
    await reader.end();
    const shared = { tables, directory, groups, places };
    const userTopics = await userTopicRows(tables, directory, places);
    const writing = new TableWriter(tally);
    const texts = { ...shared, clients, withUploads: (text: string) => withUploads(text, hasUpload) };
    await this.#writeTables(writing, tables, directory, {
      realms: () => realmRows({ ...shared, name, pictures: files.realm }),
      users: () => userRows({ ...shared, avatars: files.avatars }),
      user_groups: () => groups.rows(),
      user_group_subgroups: () => groups.subgroupRows(),
      custom_profile_values: () =>
        profileValueRows(tables, directory, (id) => writing.has('custom_profile_fields', id)),
      realm_emoji: () => files.emoji,
      presences: () => presenceRows(tables, directory),
      channel_folders: () => folderRows(shared),
      conversations: () => places.conversationRows(),
      channels: () => channelRows(shared, (id) => writing.has('channel_folders', id)),
      topics: () => topicRows(spool),
      conversation_members: () => memberRows(shared, state),
      conversation_heads: () => places.headRows(),
      user_topics: () => userTopics,
      attachments: () => attachmentRows(attachments, this.#export, directory, files.facts),
      scheduled_messages: () => scheduledRows(texts),
      scheduled_message_attachments: () => scheduledUploadRows(attachments, this.#export, writing),
      reminders: () => reminderRows(texts),
      message_moves: () => reader.moveRows(),
    });
    noteLeftOut(tables, tally);
    await this.#finish(directory, reader.endedAt);
  }

  async #writeTables(
    writing: TableWriter,
    tables: JsonTables,
    directory: Directory,
    made: Record<string, () => Rows>,
  ): Promise<void> {
    for (const [table, { from, map }] of Object.entries(mappings)) {
      made[table] = () => mapped(tables, from, (row) => map(row, directory));
    }
    await this.#writer.addPart(
      async (part) => {
        await part.add(supersededPath, Buffer.of());
        await writing.write(part, made);
      },
      { isTables: true },
    );
  }

  async #finish({ realm, realmId }: Directory, endedAt: number): Promise<void> {
    const { file, name } = this.#options;
    if (file === null) return;
    const ms = Math.floor(endedAt / 1000) || Date.parse(timeOf(realm, 'date_created') ?? firstTime);
    const at = new Date(ms).toISOString();
    await this.#writer.finish(file, {
      requested_at: at,
      finished_at: at,
      realm: { id: realmId, name },
      log: { epoch: '', seq: 0 },
    });
  }

  async #need(path: string): Promise<JsonTables> {
    const tables = await this.#export.tables(path);
    if (!tables) throw refused('file_missing', { path });
    return tables;
  }

  async #readMessages(reader: MessageReader): Promise<void> {
    const files = this.#export.messageFiles;
    for (const [index, path] of files.entries()) {
      const tables = await this.#export.tables(path);
      if (tables) await reader.read(tables);
      this.#options.onProgress({ messages: reader.count, done: index + 1, of: files.length });
    }
  }

  /** Copies all files that have a place here. */
  async #files(tables: JsonTables, attachments: JsonTables, directory: Directory) {
    const placed = emptyPlaced();
    const folders = {
      has: (path: string) => this.#export.bytesOf(path) !== undefined,
      records: async (folder: string) => await this.#export.tables(`${folder}/records.json`),
    };
    const avatars = await placeAvatars(folders, directory, placed);
    const emoji = await placeEmoji(tables, folders, directory, placed);
    const realm = await placeRealmPictures(folders, directory, placed);
    await placeUploads(attachments, this.#export, placed);
    const { archive, folder, file } = this.#options;
    const { root } = this.#export;
    const none = { facts: new Map<string, ImageFacts>(), broken: new Set<string>() };
    const { facts, broken } =
      file === null ? none : await copyFiles({ archive, root, folder, writer: this.#writer }, placed);
    for (const [user, avatar] of avatars) if (broken.has(avatar)) avatars.delete(user);
    if (broken.size > 0) directory.tally.change('people', 'avatar_unreadable', broken.size);
    const ids = new Set(emoji.map(({ id }) => id));
    return { avatars, emoji, realm, facts, hasEmoji: (id: number) => ids.has(id) };
  }
}
