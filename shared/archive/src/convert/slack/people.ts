import type { ForeignPerson } from '../foreign.ts';
import { type Json, isObject, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';

/** Returns the workspace that most accounts belong to. Others are those of people of other workspaces. */
function homeOf(users: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const user of users) {
    const team = stringOf(user['team_id']);
    counts.set(team, (counts.get(team) ?? 0) + 1);
  }
  const owner = users.find((user) => user['is_primary_owner'] === true);
  return stringOf(owner?.['team_id']) || ([...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '');
}

export function nameOf(profile: unknown, user: Json): string {
  const about = isObject(profile) ? profile : {};
  const names = [about['real_name'], user['real_name'], about['display_name'], about['name'], user['name']];
  return names.map(stringOf).find((name) => name.trim() !== '') ?? '';
}

function roleOf(user: Json): ForeignPerson['role'] {
  const is = (name: string) => user[name] === true;
  if (is('is_primary_owner') || is('is_owner')) return 'owner';
  if (is('is_admin')) return 'administrator';
  return is('is_restricted') || is('is_ultra_restricted') ? 'guest' : 'member';
}

/** Adds the accounts of a workspace. */
export function addPeople(organization: Organization, users: readonly Json[]): void {
  const home = homeOf(users);
  for (const user of users) {
    const key = stringOf(user['id']);
    if (key === '' || organization.people.find(key)) continue;
    const profile = user['profile'];
    const isBot = user['is_bot'] === true || key === 'USLACKBOT';
    const isElsewhere = !isBot && (user['is_stranger'] === true || stringOf(user['team_id']) !== home);
    if (isElsewhere) {
      organization.tally.change('people', 'person_outside');
    }
    organization.people.add({
      key,
      name: nameOf(profile, user) || key,
      email: isObject(profile) ? stringOf(profile['email']) : undefined,
      role: isElsewhere ? 'guest' : roleOf(user),
      isActive: user['deleted'] !== true && !isElsewhere,
      isBot,
      timezone: stringOf(user['tz']),
    });
    if (isObject(profile) && profile['is_custom_image'] === true) {
      organization.tally.change(isBot ? 'bots' : 'people', 'avatar_missing');
    }
  }
}
