import { createHash } from 'node:crypto';

import * as model from '@parley/model';
import { limits, roles } from '@parley/protocol';

import { filePath, supersededPath } from '../manifest.ts';
import { ArchiveFileWriter } from '../write/archive-file.ts';
import type { PartWriter, Row } from '../write/part.ts';
import type { ForeignFile, ForeignMessage } from './foreign.ts';
import { type Placed, flagRows, messageRow, reactionRows, textOf } from './message-rows.ts';
import type { Organization } from './organization.ts';
import { type Account, realmId, systemBotRows, userRow } from './people.ts';
import { channelRow, groupRows, memberRow, membersConversationId, realmRow } from './place-rows.ts';
import { placesOf } from './places.ts';
import { RowSpool } from './row-spool.ts';
import type { OpenArchive } from './source.ts';
import { timeText } from './texts.ts';

/** The most messages of a part, and the most characters of their rows. */
const partMax = { messages: 2500, characters: 8 * 1024 * 1024 };
/** About the most bytes of files in a part. */
const fileBytesMax = 64 * 1024 * 1024;

export interface WriteOptions {
  folder: string;
  /** The archive that is written. */
  file: string;
  name: string;
  displayName: string;
  /** What the messages are said to have been sent with. */
  client: string;
  domain: string;
  openFile: OpenArchive['openFile'];
  readonly onMessages: (count: number) => void;
}

const tablesOfMessages = ['messages', 'message_flags', 'reactions', 'message_attachments'] as const;
type TableOfMessages = (typeof tablesOfMessages)[number];

/**
 * Writes an organization as an archive of everything. The same organization makes the same archive, so that an import of it
 * that was interrupted can be continued.
 */
export async function writeOrganization(organization: Organization, options: WriteOptions): Promise<void> {
  const writer = new OrganizationWriter(organization, options);
  await writer.write();
}

class OrganizationWriter {
  readonly #organization: Organization;
  readonly #options: WriteOptions;
  readonly #archive: ArchiveFileWriter;
  readonly #places: ReturnType<typeof placesOf>;
  readonly #topics: RowSpool;
  readonly #attachments: RowSpool;
  readonly #emojiIds: ReadonlyMap<string, number>;
  readonly #pending = new Map<TableOfMessages, Row[]>(tablesOfMessages.map((name) => [name, []]));
  /** Files by their keys: a file that several messages have is stored once. */
  readonly #files = new Map<string, { id: number; file: ForeignFile; folder: string }>();
  #characters = 0;
  #messages = 0;
  #reactions = 0;

  constructor(organization: Organization, options: WriteOptions) {
    this.#organization = organization;
    this.#options = options;
    this.#archive = new ArchiveFileWriter(options.folder);
    this.#places = placesOf(organization);
    this.#topics = new RowSpool(options.folder, 'topics');
    this.#attachments = new RowSpool(options.folder, 'attachments');
    this.#emojiIds = new Map([...organization.emoji.keys()].map((name, index) => [name, index + 1]));
  }

  async write(): Promise<void> {
    const { name, file } = this.#options;
    try {
      await this.#writeMessages();
      await this.#writeTables();
      await this.#writeFiles();
      const at = new Date(Math.floor(this.#organization.endedAt / 1000)).toISOString();
      await this.#archive.finish(file, {
        requested_at: at,
        finished_at: at,
        realm: { id: realmId, name },
        log: { epoch: '', seq: 0 },
      });
    } catch (error) {
      this.#archive.abort();
      throw error;
    }
  }

  async #writeMessages(): Promise<void> {
    let at = -1;
    const keys = new Set<string>();
    for await (const batch of this.#organization.messages?.read() ?? []) {
      for (const { at: next, line } of batch) {
        // Safe: it is what was added.
        const message = JSON.parse(line) as ForeignMessage;
        if (next !== at) keys.clear();
        at = next;
        const key = `${message.place} ${message.key}`;
        if (keys.has(key)) this.#organization.tally.drop('messages', 'twice');
        else await this.#addMessage(message);
        keys.add(key);
      }
      this.#options.onMessages(this.#messages);
      const { length } = this.#pending.get('messages') ?? [];
      if (length >= partMax.messages || this.#characters >= partMax.characters) await this.#endMessages();
    }
    await this.#endMessages();
  }

  async #endMessages(): Promise<void> {
    await this.#archive.addPart(async (part) => {
      for (const [table, rows] of this.#pending) if (rows.length > 0) await addRows(part, table, rows);
    });
    for (const table of tablesOfMessages) this.#pending.set(table, []);
    this.#characters = 0;
  }

  async #addMessage(message: ForeignMessage): Promise<void> {
    const { people, tally } = this.#organization;
    const sender = people.account(message.sender);
    const written = textOf(this.#organization, this.#places.channels, message.text);
    const files = (message.files ?? []).map((file) => this.#fileOf(file));
    const links = files.map(({ file, path }) => `[${linkText(file.name)}](/user_uploads/${path})`);
    const content = [written.content, ...links].filter(Boolean).join('\n');
    if (!sender || content === '') return tally.drop('messages', 'nothing_shown');
    const place = await this.#placeOf(message, sender);
    if (!place) return tally.drop('messages', 'no_place');
    this.#messages += 1;
    const { readers, ...where } = place;
    const placed = { ...where, id: this.#messages, senderId: sender.id };
    this.#add('messages', messageRow(message, content, placed, this.#options.client), placed.id);
    this.#addBelongings(message, placed.id, written.mentioned, readers);
    for (const { id, file, path, isNew } of files) {
      if (isNew) await this.#attachments.add(attachmentRow(id, file, path, sender.id, message.at), id);
      this.#add('message_attachments', { message_id: placed.id, attachment_id: id }, null);
    }
  }

  #addBelongings(
    { starredBy = [], reactions = [] }: ForeignMessage,
    id: number,
    mentioned: ReadonlySet<number>,
    readers: ReadonlySet<number>,
  ): void {
    const { people } = this.#organization;
    const stars = new Set(starredBy.flatMap((key) => people.account(key)?.id ?? []));
    const heard = new Set([...mentioned].filter((one) => readers.has(one)));
    for (const row of flagRows(id, { starredBy: stars, mentioned: heard }))
      this.#add('message_flags', row, null);
    if (reactions.length === 0) return;
    for (const row of reactionRows(this.#organization, this.#emojiIds, id, reactions)) {
      this.#reactions += 1;
      this.#add('reactions', { id: this.#reactions, ...row }, this.#reactions);
    }
  }

  async #placeOf(
    message: ForeignMessage,
    sender: Account,
  ): Promise<(Omit<Placed, 'id' | 'senderId'> & { readers: ReadonlySet<number> }) | undefined> {
    const channel = this.#places.channels.get(message.place);
    if (channel) {
      const topicId = await this.#places.topic(channel, message.thread, this.#topics);
      channel.conversation.ordinal += 1;
      const { id, conversationId, members } = channel;
      return {
        channelId: id,
        topicId,
        conversationId,
        ordinal: channel.conversation.ordinal,
        readers: members,
      };
    }
    const direct = this.#places.direct(message.place, sender);
    if (!direct) return undefined;
    if (message.thread) this.#organization.tally.change('messages', 'no_threads');
    direct.ordinal += 1;
    const readers = new Set(direct.people);
    return { channelId: null, topicId: null, conversationId: direct.id, ordinal: direct.ordinal, readers };
  }

  #fileOf(file: ForeignFile) {
    const known = this.#files.get(file.key);
    const folder = known?.folder ?? createHash('sha256').update(file.key).digest('base64url').slice(0, 24);
    const id = known?.id ?? this.#files.size + 1;
    if (!known) this.#files.set(file.key, { id, file, folder });
    // The model knows how names are shown in addresses; the random folder in the middle is replaced.
    const [, , shown] = model.files.newUploadPath(realmId, file.name).split('/');
    return { id, file, path: `${realmId}/${folder}/${shown ?? 'file'}`, isNew: !known };
  }

  #add(table: TableOfMessages, row: object, id: number | null): void {
    const text = JSON.stringify(row);
    this.#pending.get(table)?.push({ id, row: text });
    this.#characters += text.length;
  }

  async #writeTables(): Promise<void> {
    const { createdAt, people, channels, emoji } = this.#organization;
    const { name, displayName, domain } = this.#options;
    const owner = people.accounts.find((one) => one.role === roles.owner && one.isActive);
    // The owners of bots come before the bots.
    const accounts = people.accounts.toSorted((a, b) => Number(a.isBot) - Number(b.isBot));
    const users = [
      ...systemBotRows(domain, createdAt),
      ...accounts.map((account) => userRow(account, createdAt, owner?.id ?? null)),
    ];
    await this.#archive.addPart(
      async (part) => {
        await part.add(supersededPath, Buffer.of());
        await addTable(part, 'realms', [realmRow({ name, displayName, createdAt })]);
        await addTable(part, 'users', users);
        await addTable(part, 'user_groups', groupRows());
        await addTable(
          part,
          'realm_emoji',
          [...emoji.values()].map((one) => emojiRow(one, this.#emojiIds)),
        );
        await addTable(part, 'conversations', this.#conversationRows());
        const rows = [...channels.values()].flatMap((channel) => {
          const place = this.#places.channels.get(channel.key);
          if (!place) return [];
          const about = textOf(this.#organization, this.#places.channels, channel.description).content;
          return [channelRow({ ...channel, description: about }, place, createdAt)];
        });
        await addTable(part, 'channels', rows);
        await part.addRows('topics', this.#topics.read());
        await part.addRows('conversation_members', this.#memberRows());
        await part.addRows('conversation_heads', inOne([...this.#headRows()]));
        await part.addRows('attachments', this.#attachments.read());
      },
      { isTables: true },
    );
  }

  #conversationRows(): { id: number; realm_id: number; people: readonly number[] | null }[] {
    const inRealm = (id: number, people: readonly number[] | null) => ({ id, realm_id: realmId, people });
    return [
      inRealm(membersConversationId, null),
      ...[...this.#places.channels.values()].map(({ conversationId }) => inRealm(conversationId, null)),
      ...this.#places.directs.map(({ id, people }) => inRealm(id, people)),
    ];
  }

  *#headRows(): Generator<Row> {
    const head = (id: number, ordinal: number) => ({
      id: null,
      row: JSON.stringify({ conversation_id: id, ordinal }),
    });
    yield head(membersConversationId, 0);
    for (const { conversation } of this.#places.channels.values())
      yield head(conversation.id, conversation.ordinal);
    for (const { id, ordinal } of this.#places.directs) yield head(id, ordinal);
  }

  async *#memberRows(): AsyncGenerator<Row[]> {
    const rowsOf = (
      where: { conversationId: number; channelId: number | null },
      ids: Iterable<number>,
      ordinal: number,
    ) => [...ids].map((id) => ({ id: null, row: JSON.stringify(memberRow(where, id, ordinal)) }));
    for (const { id, conversationId, members, conversation } of this.#places.channels.values()) {
      yield rowsOf({ conversationId, channelId: id }, members, conversation.ordinal);
    }
    for (const { id, people, ordinal } of this.#places.directs) {
      yield rowsOf({ conversationId: id, channelId: null }, people, ordinal);
    }
  }

  /** Adds the pictures of emoji and what was uploaded, in parts of a bounded size. */
  async #writeFiles(): Promise<void> {
    const { emoji } = this.#organization;
    if (emoji.size > 0) {
      await this.#archive.addPart(async (part) => {
        for (const { name, content } of emoji.values()) {
          await part.add(filePath(model.files.emojiPlace(realmId, emojiFolder(name)).original), content);
        }
      });
    }
    const files = [...this.#files.values()];
    for (let next = 0; next < files.length;) {
      await this.#archive.addPart(async (part) => {
        for (; next < files.length && part.bytes < fileBytesMax; next += 1) {
          const { file, folder } = files[next] ?? {};
          if (file === undefined) continue;
          const content = await this.#options.openFile(file.place);
          await part.addStream(filePath(`uploads/${realmId}/${folder}/original`), file.bytes, content);
        }
      });
    }
  }
}

const linkText = (name: string) => name.replaceAll(/[[\]\\\n]/g, ' ').trim() || 'file';

const emojiFolder = (name: string) => createHash('sha256').update(name).digest('base64url').slice(0, 24);

const emojiRow = (
  { name, extension }: { name: string; extension: string },
  ids: ReadonlyMap<string, number>,
) => ({
  id: ids.get(name) ?? 0,
  realm_id: realmId,
  name,
  author_id: null,
  path: `${emojiFolder(name)}.${extension}`,
  still_path: null,
  is_deactivated: false,
});

const attachmentRow = (id: number, file: ForeignFile, path: string, ownerId: number, at: number) => ({
  id,
  realm_id: realmId,
  owner_id: ownerId,
  path_id: path,
  name: [...file.name].slice(0, limits.fileNameLength).join(''),
  content_type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(file.type) ? file.type : 'application/octet-stream',
  size: file.bytes,
  image: null,
  created_at: timeText(at),
  released_at: null,
});

async function addTable(part: PartWriter, table: string, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return;
  await addRows(
    part,
    table,
    rows.map((row) => ({ id: row.id, row: JSON.stringify(row) })),
  );
}

async function addRows(part: PartWriter, table: string, rows: Row[]): Promise<void> {
  await part.addRows(table, inOne(rows));
}

async function* inOne(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}
