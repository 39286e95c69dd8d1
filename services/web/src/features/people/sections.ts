import type { User } from '../../data/people/names.ts';
import { peopleText } from '../../strings/people.ts';

export interface PeopleSection {
  title: string;
  people: readonly Pick<User, 'user_id' | 'full_name'>[];
}

/**
 * Returns people as the column shows them, in their order: those who take part, those of the channel, and all others;
 * without what is empty.
 */
export function sectionsOf(
  people: PeopleSection['people'],
  here: ReadonlySet<number>,
  members: ReadonlySet<number>,
): PeopleSection[] {
  const isMember = (id: number) => members.has(id) && !here.has(id);
  const sections = [
    { title: peopleText.here, people: people.filter(({ user_id: id }) => here.has(id)) },
    { title: peopleText.inChannel, people: people.filter(({ user_id: id }) => isMember(id)) },
    {
      title: peopleText.others,
      people: people.filter(({ user_id: id }) => !here.has(id) && !members.has(id)),
    },
  ];
  return sections.filter((section) => section.people.length > 0);
}
