import type { Tx } from '@parley/db';
import { takeBreak } from '@parley/kit';
import * as model from '@parley/model';
import { roles } from '@parley/protocol';

import type { OwnEntry } from '../endpoint/registrations.ts';
import type { Range } from '../http/gzip.ts';
import { type JsonText, joinTexts, ownText, sharedAround } from '../http/json-text.ts';

type Viewer = model.users.UserListViewer;
type ListName = model.users.UserListName;

/** So many people are in a part: about 64 KiB of JSON, which is compressed at once, or has one entry replaced. */
export const peopleOfPart = 150;
/** So many people are read at once: taking them apart holds the event loop for some milliseconds. */
const peopleAtOnce = 2400;
/** What the compressed form takes beside the plain one. */
const withCompressed = 1.25;

const comma = 0x2c;

const addressKey = '"delivery_email":';

/** Returns where the addresses stand. What people write has no quotes in JSON that are not escaped. */
function rangesOf(bytes: Buffer, addresses: readonly string[]): Range[] {
  let at = 0;
  return addresses.map((address) => {
    const value = JSON.stringify(address);
    const start = bytes.indexOf(addressKey + value, at);
    if (start === -1) throw new Error('An address is not where it was written.');
    const from = start + addressKey.length;
    at = from + Buffer.byteLength(value);
    return [from, at];
  });
}

/** The entries of a part's people in one list, each behind a comma, as bytes that replies share. */
class Entries {
  readonly bytes: Buffer;
  private readonly text: JsonText;
  private readonly apart: readonly Range[];
  private leading: JsonText | null = null;

  /** `secrets` are addresses, in the order of their owners, that not everybody may read who may write a part of the text. */
  constructor(users: readonly object[], secrets: readonly string[]) {
    const list = Buffer.from(JSON.stringify(users));
    list[0] = comma;
    this.bytes = list.subarray(0, -1);
    this.apart = rangesOf(this.bytes, secrets);
    this.text = sharedAround(this.bytes, this.apart);
  }

  /** Returns them as they stand in a list: at its beginning without the first comma. */
  at(isFirst: boolean): JsonText {
    if (!isFirst) return this.text;
    return (this.leading ??= sharedAround(
      this.bytes.subarray(1),
      this.apart.map(([from, to]) => [from - 1, to - 1]),
    ));
  }

  /** Returns them with the caller's own entry as the caller sees it; null if it is not among them. */
  with({ asOthers, own }: OwnEntry, isFirst: boolean): JsonText | null {
    const start = this.bytes.indexOf(`,${asOthers}`);
    if (start === -1) return null;
    // Most see of themselves what others see of them.
    if (own === asOthers) return this.at(isFirst);
    const end = start + 1 + Buffer.byteLength(asOthers);
    const before = this.bytes.subarray(isFirst ? 1 : 0, start);
    const separator = isFirst && start === 0 ? '' : ',';
    return joinTexts([
      ownText(before),
      ownText(Buffer.from(separator + own)),
      ownText(this.bytes.subarray(end)),
    ]);
  }
}

/** A part as some viewers see it, in each of the lists. */
interface PartLists {
  lastId: number;
  readonly entriesOf: Readonly<Record<ListName, Entries | null>>;
}

/** Who sees the same: viewers of one kind whose role is above `above` and at most `upTo`. */
interface View {
  readonly kind: string;
  above: number;
  upTo: number;
  readonly lists: Promise<PartLists>;
  bytes: number;
}

export const kindOf = ({ isSpectator, clientGravatar, emailDomain }: Viewer) =>
  [isSpectator, clientGravatar, emailDomain].join(' ');

/**
 * Some users of a realm, as they are from one position in the log until one of them changes. Each way to see them is read
 * once, by the first registration between the two that needs it.
 */
export class UserPart {
  /** Ascending. */
  readonly ids: readonly number[];
  private views: readonly View[] = [];

  constructor(ids: readonly number[]) {
    this.ids = ids;
  }

  get bytes(): number {
    return this.views.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  find({ role }: Viewer, kind: string): Promise<PartLists> | undefined {
    return this.views.find((view) => view.kind === kind && view.above < role && role <= view.upTo)?.lists;
  }

  /** Says that whoever calls this is about to read it for a viewer: others wait for that. */
  claim(viewer: Viewer, kind: string): Claim {
    const settle = {} as Pick<Claim, 'fail'> & { resolve: (lists: PartLists) => void };
    const lists = new Promise<PartLists>((resolve, fail) => Object.assign(settle, { resolve, fail }));
    // Whoever waits for it handles the failure.
    lists.catch(() => undefined);
    const view: View = {
      kind,
      above: viewer.role - 1,
      upTo: viewer.role,
      lists,
      bytes: 0,
    };
    this.views = [...this.views, view];
    return {
      part: this,
      done: (rows, profiles) => {
        const written = writePart(rows, profiles, viewer);
        Object.assign(view, { above: written.above, upTo: written.upTo, bytes: written.bytes });
        settle.resolve({ lastId: this.ids.at(-1) ?? 0, entriesOf: written.entriesOf });
      },
      fail: (error) => {
        this.views = this.views.filter((one) => one !== view);
        settle.fail(error);
      },
    };
  }
}

interface Claim {
  part: UserPart;
  done(rows: readonly model.users.ShownUser[], profiles: Profiles): void;
  fail(error: unknown): void;
}

type Profiles = Awaited<ReturnType<typeof model.users.readShownUsers>>['profiles'];

/** Writes people as a viewer sees them, and says which other roles see the same: addresses are shown up to a role. */
function writePart(rows: readonly model.users.ShownUser[], profiles: Profiles, viewer: Viewer) {
  const users: Record<ListName, object[]> = {
    realm_users: [],
    realm_non_active_users: [],
    cross_realm_bots: [],
  };
  const secrets: Record<ListName, string[]> = {
    realm_users: [],
    realm_non_active_users: [],
    cross_realm_bots: [],
  };
  let [above, upTo] = [-Infinity, Infinity];
  for (const row of rows) {
    const name = model.users.userListOf(row);
    const shown = model.users.presentListed(row, viewer, profiles);
    users[name].push(shown);
    const shownUpTo = model.access.emailVisibleUpToRole(row);
    if (shownUpTo < roles.guest && shown.delivery_email !== null) secrets[name].push(shown.delivery_email);
    if (shownUpTo < viewer.role) above = Math.max(above, shownUpTo);
    else upTo = Math.min(upTo, shownUpTo);
  }
  // A list is written at once: by itself, each entry would take twice as long.
  const entriesIn = (name: ListName) =>
    users[name].length === 0 ? null : new Entries(users[name], secrets[name]);
  const entriesOf = {
    realm_users: entriesIn('realm_users'),
    realm_non_active_users: entriesIn('realm_non_active_users'),
    cross_realm_bots: entriesIn('cross_realm_bots'),
  };
  const bytes = Object.values(entriesOf).reduce((sum, entries) => sum + (entries?.bytes.length ?? 0), 0);
  return { entriesOf, above, upTo, bytes: Math.ceil(bytes * withCompressed) };
}

/** Returns users in parts of their ids, ascending. */
export const partsOf = (ids: readonly number[]): UserPart[] =>
  Array.from(
    { length: Math.ceil(ids.length / peopleOfPart) },
    (_, index) => new UserPart(ids.slice(index * peopleOfPart, (index + 1) * peopleOfPart)),
  );

/** Returns the parts after some users have changed or come. Where nobody has, it is the same part. */
export function changedParts(parts: readonly UserPart[], changedIds: ReadonlySet<number>): UserPart[] {
  const changed = [...changedIds].sort((a, b) => a - b);
  let next = 0;
  const result = parts.flatMap((part, index) => {
    const end = parts[index + 1]?.ids[0] ?? Infinity;
    const first = next;
    while (next < changed.length && (changed[next] ?? Infinity) < end) next += 1;
    if (next === first) return [part];
    const ids = [...new Set([...part.ids, ...changed.slice(first, next)])].sort((a, b) => a - b);
    return ids.length > 2 * peopleOfPart ? partsOf(ids) : [new UserPart(ids)];
  });
  return parts.length === 0 ? partsOf(changed) : result;
}

/**
 * Returns the parts as a viewer sees them. What nobody has read yet is read in this transaction, some people at a time;
 * what others are reading is waited for.
 */
export async function readParts(
  tx: Tx,
  realmId: number,
  parts: readonly UserPart[],
  viewer: Viewer,
): Promise<PartLists[]> {
  const kind = kindOf(viewer);
  for (;;) {
    const claims = parts.filter((part) => !part.find(viewer, kind)).map((part) => part.claim(viewer, kind));
    await readClaimed(tx, realmId, claims);
    const read: PartLists[] = [];
    for (const part of parts) {
      // Whoever was reading it may have failed for reasons of their own.
      const lists = await part.find(viewer, kind)?.catch(() => undefined);
      if (lists) read.push(lists);
      await takeBreak();
    }
    if (read.length === parts.length) return read;
  }
}

async function readClaimed(tx: Tx, realmId: number, claims: readonly Claim[]): Promise<void> {
  const partsAtOnce = peopleAtOnce / peopleOfPart;
  const portions = Array.from({ length: Math.ceil(claims.length / partsAtOnce) }, (_, index) =>
    claims.slice(index * partsAtOnce, (index + 1) * partsAtOnce),
  );
  const readPortion = (portion: readonly Claim[] | undefined) => {
    const ids = portion?.flatMap(({ part }) => part.ids) ?? [];
    const reading = portion ? model.users.readShownUsers(tx, realmId, ids) : null;
    reading?.catch(() => undefined);
    return reading;
  };
  try {
    let reading = readPortion(portions[0]);
    for (const [index, portion] of portions.entries()) {
      const read = await reading;
      // Postgres reads the next ones while these are written.
      reading = readPortion(portions[index + 1]);
      if (read) await finish(portion, read.rows, read.profiles);
    }
  } catch (error) {
    for (const claim of claims) claim.fail(error);
    throw error;
  }
}

/** Writes the parts of a portion. Others have a turn between them. */
async function finish(
  portion: readonly Claim[],
  rows: readonly model.users.ShownUser[],
  profiles: Profiles,
): Promise<void> {
  let first = 0;
  for (const claim of portion) {
    const last = claim.part.ids.at(-1) ?? 0;
    let end = first;
    while (end < rows.length && (rows[end]?.id ?? 0) <= last) end += 1;
    claim.done(rows.slice(first, end), profiles);
    first = end;
    await takeBreak();
  }
}

const [openList, closeList] = ['[', ']'].map((text) => ownText(Buffer.from(text))) as [JsonText, JsonText];

/** Returns a list of the parts as JSON, in which the caller has their own entry; null if they are not in the list. */
export function listText(parts: readonly PartLists[], name: ListName, own: OwnEntry | null): JsonText | null {
  const ownPart = own ? parts.find(({ lastId }) => own.id <= lastId) : undefined;
  const texts: JsonText[] = [openList];
  for (const part of parts) {
    const entries = part.entriesOf[name];
    if (!entries && part !== ownPart) continue;
    const isFirst = texts.length === 1;
    const text = own && part === ownPart ? entries?.with(own, isFirst) : entries?.at(isFirst);
    if (!text) return null;
    texts.push(text);
  }
  return own && !ownPart ? null : joinTexts([...texts, closeList]);
}
