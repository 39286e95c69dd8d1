import type { Sql, Tx } from '@parley/db';
import type { FileStore } from '@parley/files';
import { removeLeftFolders } from '@parley/kit';
import type { Realm } from '@parley/model';

import { inSmallHeap } from '../heap.ts';
import { checkArchive } from '../read/check.ts';
import type { Numbering } from '../read/numbering.ts';
import { renderAll } from '../read/render.ts';
import { Renderer } from '../read/renderer.ts';
import { assertConsistent } from '../read/settle.ts';
import { type Survey, surveyArchive } from '../read/survey.ts';
import { verifyArchive } from '../read/verify.ts';
import { inTransaction } from '../read/writing.ts';
import { bigIdMax } from '../schemas/values.ts';
import type { Numbers } from '../tables/table.ts';
import { type BegunMerge, beginMerge, endMerge, findMerge } from './begin-merge.ts';
import { followReactions } from './follow-reactions.ts';
import { followTexts } from './follow-texts.ts';
import { grow } from './grow.ts';
import type { Growth } from './growth.ts';
import { Hold } from './hold.ts';
import { loadMessages } from './load-messages.ts';
import { type Match, matchStructure } from './match.ts';
import { type MergePlan, planOf } from './merge-plan.ts';
import { MessageNumbers } from './message-numbers.ts';
import { makePlaces, makeTopics } from './places.ts';
import { type Structure, readStructure } from './structure.ts';
import { numberUploads } from './uploads.ts';

export interface MergeOptions {
  /** The server that holds the organization. */
  sql: Sql;
  /** The database, where several servers are one; else the same. */
  first: Sql;
  /** The same database, for what the API reads with. */
  db: Tx;
  realm: Realm;
  store: FileStore;
  /** The archive, a file of this machine. */
  archive: string;
  growth: Growth;
  now: Date;
  readonly onProgress?: (progress: { files: number; of: number }) => void;
}

type Reading = Pick<MergeOptions, 'sql' | 'realm' | 'archive'>;

/** What is known of an archive and an organization before anything is written. */
interface Read extends Disposable {
  survey: Survey;
  structure: Structure;
  numbers: MessageNumbers;
  match: Match;
  begun: BegunMerge | null;
  plan: MergePlan;
}

/**
 * Compares an archive with an organization, and writes nothing.
 *
 * @throws ArchiveRefused as importArchive
 */
export async function planMerge(reading: Reading): Promise<MergePlan> {
  using read = await readAll(reading);
  return read.plan;
}

/**
 * Reads an archive into an organization that people use. They hear of people and channels that come to it, and of nothing
 * that was written before: it stands before their own messages, and counts as read. Of a later archive of the same source,
 * what is not there yet is added, and what has been changed or deleted there since is changed and deleted here. An import that was interrupted is gone on with by doing it again.
 *
 * @throws ArchiveRefused as importArchive; where the ids before the first message do not suffice; and while another process
 * imports into the organization
 */
export async function importInto(options: MergeOptions): Promise<MergePlan> {
  await removeLeftFolders();
  await using hold = await Hold.take(options.sql, options.realm);
  const rest = async (workedMs: number) => {
    hold.assertHeld();
    await options.growth.rest(workedMs);
  };
  return await inSmallHeap(() => importHeld({ ...options, growth: { ...options.growth, rest } }));
}

async function importHeld(options: MergeOptions): Promise<MergePlan> {
  const { sql, db, realm, store, archive, growth, now, onProgress } = options;
  using read = await readAll(options);
  const { survey, structure, numbers, match, plan } = read;
  if (plan.isDone) return plan;
  const begun = read.begun ?? (await beginMerge(options, realm, survey, plan.messages.created));
  const first = begun.bases['messages'] ?? 1;
  const last = first + numbers.numberFrom(first) - 1;
  await grow(sql, realm.id, { structure, match, growth });
  const userOf = (id: number) => match.users.get(id)?.id ?? undefined;
  const places = await makePlaces(sql, { importId: begun.id, realmId: realm.id, structure, growth }, userOf);
  const uploads = await numberUploads(sql, realm.id, survey.manifest.realm.id, structure.uploads);
  const channelOf = (id: number) => match.channels.get(id)?.id ?? undefined;
  const earlier = await numbers.findTopics(sql, realm.id);
  const topics = await makeTopics(sql, realm.id, structure, channelOf, earlier);
  const numbering = numberingOf(numbers, [first, last], {
    realms: (id) => (id === survey.manifest.realm.id ? realm.id : undefined),
    users: userOf,
    channels: channelOf,
    realm_emoji: (id) => match.emoji.get(id)?.id ?? undefined,
    conversations: (id) => places.get(id)?.conversationId,
    topics: (id) => topics.get(id),
    attachments: (id) => uploads.ids.get(id),
    messages: (id) => numbers.of(id),
  });
  const renderer = new Renderer(db, realm);
  const load = { sql, store, archive, now, realmId: realm.id, survey, numbering, numbers, places, renderer };
  const onFile = (files: number) => onProgress?.({ files, of: survey.files });
  await loadMessages({ ...load, uploads: uploads.here, onFile, rest: growth.rest }, begun);
  await assertConsistent(sql, { realmId: realm.id, first, last }, 'messages');
  await renderAll(sql, renderer, numbering, realm.id);
  const following = { sql, realmId: realm.id, archive, survey, numbering, numbers, growth };
  const followed = { ...(await followTexts(following)), reacted: await followReactions(following) };
  for (const { id, isArchived } of structure.channels.values()) {
    const here = match.channels.get(id);
    if (!here || here.id === null) continue;
    await growth.refreshFirstMessage(here.id);
    if (isArchived && here.isCreated) await growth.archiveChannel(here.id);
  }
  const merged = { importId: begun.id, realmId: realm.id, archive: survey.archive, first, last };
  await inTransaction(sql, (tx) => endMerge(tx, merged));
  return { ...plan, messages: { ...plan.messages, ...followed } };
}

/** Numbers the rows of an archive by what they are in an organization. Ids that nothing refers to are given where they are written. */
function numberingOf(
  numbers: MessageNumbers,
  span: readonly [first: number, last: number],
  ids: Readonly<Record<Numbers, (id: number) => number | undefined>>,
): Numbering {
  const isNamed = (kind: Numbers) => Object.hasOwn(ids, kind);
  const spans: Record<Numbers, readonly [number, number]> = { messages: span, message_edits: [1, bigIdMax] };
  return {
    of: (kind, id) => (isNamed(kind) ? ids[kind]?.(id) : 0),
    ofMessages(_, to) {
      const last = numbers.lastBefore(to);
      return last === undefined ? undefined : [1, last + 1];
    },
    // Of earlier texts, those that have no HTML yet are found among all.
    span: (kind) => spans[kind] ?? [1, 0],
    moves: () => true,
  };
}

async function readAll({ sql, realm, archive }: Reading): Promise<Read> {
  const survey = await surveyArchive(archive, await verifyArchive(archive));
  try {
    await checkArchive(archive, survey);
    const structure = await readStructure(archive, survey);
    const numbers = await MessageNumbers.read(archive, survey, structure, { sql, realmId: realm.id });
    const begun = await findMerge(sql, realm, survey);
    const known = { places: await numbers.findPlaces(sql, realm.id), since: begun?.since ?? null };
    const match = await matchStructure(sql, realm.id, structure, known);
    const [done] = await sql`
      select from merged_archives where realm_id = ${realm.id} and archive = ${survey.archive}`;
    const created = numbers.countNew(begun?.bases['messages'] ?? Infinity);
    const plan = planOf(survey, structure, match, { isDone: done !== undefined, created, of: numbers.size });
    return {
      survey,
      structure,
      numbers,
      match,
      begun,
      plan,
      [Symbol.dispose]: () => survey[Symbol.dispose](),
    };
  } catch (error) {
    survey[Symbol.dispose]();
    throw error;
  }
}
