import { gunzipSync } from 'node:zlib';

import type * as model from '@parley/model';
import { roles } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { gzipOf } from '../http/gzip.ts';
import { UserPart, changedParts, kindOf, listText, partsOf, peopleOfPart } from './user-parts.ts';

type Viewer = model.users.UserListViewer;
type Row = model.users.ShownUser;

const viewerOf = (role: number): Viewer => ({
  role,
  isSpectator: false,
  clientGravatar: true,
  emailDomain: 'parts.example',
});
const allRoles = Object.values(roles);

const rowOf = (id: number, more: Partial<Row> = {}): Row => ({
  id,
  email: `person${id}@parts.example`,
  fullName: `Zażółć ${id} 🙂`,
  role: roles.member,
  isActive: true,
  isSystem: false,
  botType: null,
  botOwnerId: null,
  emailVisibility: 1,
  timezone: '',
  avatarPath: null,
  avatarVersion: 1,
  joinedAt: new Date(0),
  ...more,
});

/** Gives a part the rows that somebody has read for a viewer. */
function read(part: UserPart, rows: readonly Row[], viewer: Viewer) {
  part.claim(viewer, kindOf(viewer)).done(rows, new Map());
  const lists = part.find(viewer, kindOf(viewer));
  if (!lists) throw new Error('What was read is not there.');
  return lists;
}

async function unzipped(text: Exclude<ReturnType<typeof listText>, null>): Promise<unknown> {
  return JSON.parse(gunzipSync(Buffer.concat(gzipOf(await text.deflated()))).toString());
}

/** How many bytes it takes to tell an administrator of people who hide their addresses from others. */
async function lengthWith(emails: readonly string[], names: readonly string[]): Promise<number> {
  const rows = emails.map((email, index) =>
    rowOf(index + 1, { email, fullName: names[index] ?? 'Somebody', emailVisibility: 3 }),
  );
  const part = new UserPart(rows.map(({ id }) => id));
  const text = listText([await read(part, rows, viewerOf(roles.administrator))], 'realm_users', null);
  if (!text) throw new Error('Nobody is in the list.');
  expect(await unzipped(text)).toMatchObject(emails.map((delivery_email) => ({ delivery_email })));
  return Buffer.concat(gzipOf(await text.deflated())).length;
}

test('the length of what administrators are sent does not tell whether a name is somebody’s hidden address', async () => {
  const names = ['Anna', 'rose.tyler@parts.example', '"delivery_email":"rose.tyler@parts.example"'];
  const guessed = ['anna@parts.example', 'anyone@parts.example', 'rose.tyler@parts.example'];
  const others = ['anna@parts.example', 'anyone@parts.example', 'jack.black@parts.example'];
  expect(await lengthWith(guessed, names)).toBe(await lengthWith(others, names));
});

describe('parts of users', () => {
  test('hold everybody once and in order after any changes, and those without a change are the same', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), { maxLength: 2000 });
    fc.assert(
      fc.property(ids, ids, (before, changes) => {
        const parts = partsOf(before.sort((a, b) => a - b));
        const changed = new Set(changes);
        const after = changedParts(parts, changed);
        const all = [...new Set([...before, ...changes])].sort((a, b) => a - b);
        expect(after.flatMap((part) => part.ids)).toEqual(all);
        expect(after.every((part) => part.ids.length <= 2 * peopleOfPart)).toBe(true);
        for (const part of parts) {
          expect(after.includes(part)).toBe(
            !part.ids.some((id) => changed.has(id)) && isApart(part, parts, changed),
          );
        }
      }),
    );
  });

  test('are shown alike to those roles alone that see the same addresses', async () => {
    const visibility = fc.constantFrom(1, 2, 3, 4, 5);
    const role = fc.constantFrom(...allRoles);
    await fc.assert(
      fc.asyncProperty(
        fc.array(visibility, { maxLength: 4 }),
        role,
        role,
        async (visibilities, first, second) => {
          const rows = visibilities.map((emailVisibility, index) => rowOf(index + 1, { emailVisibility }));
          const part = new UserPart(rows.map(({ id }) => id));
          await read(part, rows, viewerOf(first));
          const found = await part.find(viewerOf(second), kindOf(viewerOf(second)));
          const own = await read(new UserPart(part.ids), rows, viewerOf(second));
          const bytesOf = (lists: typeof own) => lists.entriesOf.realm_users?.bytes.toString();
          const isSame = bytesOf(await read(part, rows, viewerOf(first))) === bytesOf(own);
          expect(found ? bytesOf(found) : null).toBe(isSame ? bytesOf(own) : null);
        },
      ),
    );
  });

  test('are free to be read by others when somebody has failed to, and whoever waits hears of it', async () => {
    const part = new UserPart([1]);
    const viewer = viewerOf(roles.member);
    const claim = part.claim(viewer, kindOf(viewer));
    const waiting = part.find(viewer, kindOf(viewer));
    claim.fail(new Error('cut off'));
    await expect(waiting).rejects.toThrow('cut off');
    expect(part.find(viewer, kindOf(viewer))).toBeUndefined();
  });
});

/** Whether nobody new belongs between the part's people and the next part. */
function isApart(part: UserPart, parts: readonly UserPart[], changed: ReadonlySet<number>): boolean {
  const index = parts.indexOf(part);
  const first = index === 0 ? -Infinity : (part.ids[0] ?? 0);
  const end = parts[index + 1]?.ids[0] ?? Infinity;
  return ![...changed].some((id) => id >= first && id < end);
}

describe('a list of parts', () => {
  const rows = Array.from({ length: 40 }, (_, index) =>
    rowOf(index + 1, { isActive: index % 7 !== 3, emailVisibility: 4 }),
  );
  const viewer = viewerOf(roles.member);
  const partsOfRows = () =>
    Promise.all(
      [rows.slice(0, 10), rows.slice(10, 39), rows.slice(39)].map((some) =>
        read(new UserPart(some.map(({ id }) => id)), some, viewer),
      ),
    );
  const idsOf = (list: unknown) => (list as { user_id: number }[]).map(({ user_id }) => user_id);

  test.each([1, 5, 10, 12, 38, 40])(
    'shows person %i what they see of themselves, and nothing else',
    async (id) => {
      const parts = await partsOfRows();
      const others = listText(parts, 'realm_users', null)?.toJSON() as { user_id: number }[];
      const entry = others.find(({ user_id }) => user_id === id);
      const own = { ...entry, delivery_email: 'mine 🙂' };
      const mine = listText(parts, 'realm_users', {
        id,
        asOthers: JSON.stringify(entry),
        own: JSON.stringify(own),
      });
      const expected = others.map((one) => (one.user_id === id ? own : one));
      expect(mine?.toJSON()).toEqual(expected);
      expect(mine && (await unzipped(mine))).toEqual(expected);
    },
  );

  test('has whoever is in it, and is empty where nobody is', async () => {
    const parts = await partsOfRows();
    const inactive = rows.filter(({ isActive }) => !isActive).map(({ id }) => id);
    const list = listText(parts, 'realm_non_active_users', null);
    expect(idsOf(list?.toJSON())).toEqual(inactive);
    expect(list && idsOf(await unzipped(list))).toEqual(inactive);
    expect(listText(parts, 'cross_realm_bots', null)?.toJSON()).toEqual([]);
    expect(listText([], 'realm_users', null)?.toJSON()).toEqual([]);
  });

  test('is none for whoever is not in it as they are now', async () => {
    const parts = await partsOfRows();
    expect(listText(parts, 'realm_users', { id: 5, asOthers: '{"user_id":5}', own: '{}' })).toBeNull();
    expect(listText(parts, 'realm_users', { id: 99, asOthers: '{"user_id":99}', own: '{}' })).toBeNull();
    expect(listText([], 'realm_users', { id: 1, asOthers: '{}', own: '{}' })).toBeNull();
  });
});
